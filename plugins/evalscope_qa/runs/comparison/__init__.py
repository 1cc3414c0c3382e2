"""Which of these models is better, and is that known?"""
