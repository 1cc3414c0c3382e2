"""The rules of the scoring contract, and the checks that replay them."""
