"""Rouge-L of two texts: the F1 of their longest common subsequence.

Source of the formula: the README of the dataset (http://data.openkg.cn/dataset/rjua-qadatasets), and Lin, "ROUGE: A
Package for Automatic Evaluation of Summaries", 2004, https://aclanthology.org/W04-1013/, with beta = 1. With P = LCS /
length of the reply and R = LCS / length of the answer, F = 2PR / (P + R), which is 2 LCS / (both lengths).

Deviations: both texts are brought to NFKC first, as everywhere in this benchmark, so that a full-width and a half-width
comma are one character. The tokens are characters without white space; words by jieba on request.
"""

from typing import List, Sequence, Union

from rapidfuzz.distance import LCSseq

from .normalization import nfkc

TOKENIZERS = ('char', 'jieba')


def rouge_l(reply: str, answer: str, tokenizer: str = 'char') -> float:
    """Return the Rouge-L of a reply against the gold answer.

    Args:
        reply: The reply's text to the patient.
        answer: The gold answer.
        tokenizer: One of :data:`TOKENIZERS`: ``char`` compares characters, ``jieba`` words.

    Returns:
        From 0.0 (nothing in common, or one of the two is blank) to 1.0 (equal apart from white space).

    Raises:
        ValueError: If there is no such tokenizer.

    >>> rouge_l('体外', '体外碎石')  # 2 of 2 and of 4 characters
    0.6666666666666666
    """
    reply_tokens, answer_tokens = tokenize(reply, tokenizer), tokenize(answer, tokenizer)
    total = len(reply_tokens) + len(answer_tokens)
    return 2 * LCSseq.similarity(reply_tokens, answer_tokens) / total if total else 0.0


def tokenize(text: str, tokenizer: str = 'char') -> Union[str, List[str]]:
    """Return the tokens of a text in NFKC, none of them white space; see :func:`rouge_l`.

    >>> tokenize('多饮水， 复查')
    '多饮水,复查'
    """
    normalized = nfkc(text)
    if tokenizer == 'char':
        return ''.join(normalized.split())
    if tokenizer == 'jieba':
        import jieba  # loads a dictionary of some 350,000 words, so only where it is asked for

        words: Sequence[str] = jieba.lcut(normalized)
        return [word for word in words if not word.isspace()]
    raise ValueError(f'rjua_qa: tokenizer {tokenizer!r}: expected one of {", ".join(TOKENIZERS)}.')
