"""Audits answer extraction of three other packages: docs/audit-others.md has what it found.

    pip install lm_eval==0.4.13 inspect_ai==0.3.285 math-verify==0.9.0
    python tests/benchmarks/audit_others.py [lm-eval | inspect | math-verify | replay]

Without a word it does all four; ``replay`` runs every call that the page shows and compares what it gives. The audit is
the command ``evalscope-qa audit --scorer``, to which this file is a module of thin wrappers: filters with the settings
of a task and that task's metric, and ``verify(parse(gold), parse(reply))``. The packages are needed by this file alone.
"""

import doctest
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    import inspect_ai  # noqa: F401 - named on the command line below
    from inspect_ai.scorer import match
    from lm_eval.api.metrics import exact_match_hf_evaluate
    from lm_eval.filters.extraction import MultiChoiceRegexFilter, RegexFilter
    from math_verify import parse, verify
except ImportError as missing:
    raise SystemExit(f'{missing}; pip install lm_eval==0.4.13 inspect_ai==0.3.285 math-verify==0.9.0') from missing

PAGE = Path(__file__).parents[2] / 'docs' / 'audit-others.md'

# -- lm-evaluation-harness: a filter, then take_first, then exact_match, as in the task named --------------------------

_GSM8K = {'ignore_case': True, 'regexes_to_ignore': [',', '\\$', '(?s).*#### ', '\\.$']}
_STRICT = RegexFilter(regex_pattern=r'#### (\-?[0-9\.\,]+)')
_FLEXIBLE = RegexFilter(regex_pattern=r'(-?[$0-9.,]{2,})|(-?[0-9]+)', group_select=-1)
_CHOICE = MultiChoiceRegexFilter(
    regex_pattern=r'(\([A-Z]\))', group_select=-1, ignore_case=True, ignore_punctuation=True
)


def gsm8k_strict_match(reply: str, gold: str) -> float:
    """``strict-match`` of gsm8k.yaml."""
    return _exact_match(_STRICT.apply([[reply]], [{}])[0][0], gold, **_GSM8K)


def gsm8k_flexible_extract(reply: str, gold: str) -> float:
    """``flexible-extract`` of gsm8k.yaml."""
    return _exact_match(_FLEXIBLE.apply([[reply]], [{}])[0][0], gold, **_GSM8K)


def mmlu_flan_cot_flexible_extract(reply: str, question: dict[str, Any]) -> float:
    """``flexible-extract`` of _mmlu_flan_cot_zeroshot_template_yaml; GPQA's is the same."""
    choices = list(question['options'].values())
    answer = _CHOICE.apply([[reply]], [{'choices': choices}])[0][0]
    return _exact_match(answer, question['gold'], ignore_case=True, ignore_punctuation=True)


def _exact_match(prediction: str, gold: str, **settings: Any) -> float:
    return float(exact_match_hf_evaluate(predictions=[prediction], references=[gold], **settings)['exact_match'])


# -- inspect_ai: match() and choice() are named as they are; this is match() with its setting for numbers --------------

match_numeric = match(numeric=True)


# -- Math-Verify, with the extraction that its parse() has when it is told nothing -------------------------------------


def math_verify_default(reply: str, gold: str) -> float:
    """The gold between dollar signs, as its README writes LaTeX."""
    return float(verify(parse(f'${gold}$'), parse(reply)))


_OPTIONS = {'(A)': 'wool', '(B)': 'copper', '(C)': 'marble', '(D)': 'paper'}
_LISTED = {
    'prompt': "Q: Which of these is a metal?\n(A) wool (B) copper (C) marble (D) paper\nA: Let's think step by step.",
    'gold': '(B)',
    'options': _OPTIONS,
}
_SUM = {'prompt': 'Question: What is 6 times 7?\nAnswer:', 'gold': '42'}
_CAPITAL = {'prompt': 'What is the capital of France?', 'gold': 'Paris'}
_CHOICE_OF_FIVE = {
    'prompt': 'Which of these is a metal?\nA) wool\nB) copper\nC) marble\nD) paper\nE) glass',
    'gold': 'B',
    'options': ['wool', 'copper', 'marble', 'paper', 'glass'],
}
_FRACTION = {'prompt': 'What is one divided by two?', 'gold': '\\frac{1}{2}', 'right': '$\\boxed{\\frac{1}{2}}$'}

HERE = str(Path(__file__).resolve())
AUDITS: dict[str, list[tuple[list[dict[str, Any]], list[str]]]] = {
    'lm-eval': [
        ([{**_SUM, 'format': '#### {answer}'}], ['--scorer', f'{HERE}:gsm8k_strict_match', '--trace', 'lm_eval']),
        ([_SUM], ['--scorer', f'{HERE}:gsm8k_flexible_extract', '--trace', 'lm_eval']),
        ([_LISTED], ['--scorer', f'{HERE}:mmlu_flan_cot_flexible_extract', '--trace', 'lm_eval']),
    ],
    'inspect': [
        ([_CHOICE_OF_FIVE], ['--scorer', 'inspect_ai.scorer:choice']),
        ([_CAPITAL, _CHOICE_OF_FIVE], ['--scorer', 'inspect_ai.scorer:match']),
        ([_SUM], ['--scorer', f'{HERE}:match_numeric']),
    ],
    'math-verify': [
        ([_SUM, _FRACTION], ['--scorer', f'{HERE}:math_verify_default', '--trace', 'math_verify']),
    ],
}


def audit(questions: list[dict[str, Any]], words: list[str]) -> int:
    """Run the command on some questions and return its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'questions.jsonl'
        file.write_text(''.join(f'{json.dumps(question)}\n' for question in questions), encoding='utf-8')
        print(f'$ evalscope-qa audit --questions {file.name} {" ".join(words)}', flush=True)
        for question in questions:
            print(f'  {json.dumps(question)}', flush=True)
        # A call of multi_choice_regex takes a quarter of a second, so the limit is wide.
        command = [sys.executable, '-m', 'evalscope_qa', 'audit', '--questions', str(file), '--time-limit', '1800']
        return subprocess.run([*command, *words], check=False).returncode


def main(wanted: list[str]) -> int:
    """Do what is asked for; return 1 where a call of the page gives something else than it shows."""
    for name in wanted or [*AUDITS, 'replay']:
        if name == 'replay':
            failed, tried = doctest.testfile(str(PAGE), module_relative=False)
            print(f'{PAGE.name}: {tried} calls, of which {failed} give something else')
            if failed:
                return 1
        else:
            for questions, words in AUDITS[name]:
                audit(questions, words)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
