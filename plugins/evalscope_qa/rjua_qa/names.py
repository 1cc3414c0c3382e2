"""Names of the sections of a reply: the words that may stand before and behind ``诊断`` and ``建议``."""

import re
from typing import NamedTuple, Optional

DISEASE, ADVICE = '诊断', '建议'
"""The names that the prompt asks for."""

PROVISIONAL, PLAIN, FINAL = range(3)

QUALIFIERS = {
    **dict.fromkeys(('初步', '可能', '最可能', '考虑', '疑似'), PROVISIONAL),
    **dict.fromkeys(('临床', '主要', '综合', '明确', '西医', '医学'), PLAIN),
    **dict.fromkeys(('治疗', '检查', '诊疗', '处理', '医疗', '就医', '就诊', '护理', '随访', '复查', '预防'), PLAIN),
    **dict.fromkeys(('生活', '饮食', '用药', '康复', '日常', '具体', '专业', '进一步', '下一步', '后续'), PLAIN),
    **dict.fromkeys(('最终', '最后', '更正', '修正'), FINAL),
}
"""Words before a name, and how much they commit the section: the most committed ones decide."""

OWNERS = ('我的', '您的', '你的', '患者的', '医生的')

SUFFIXES = ('结果', '意见', '结论', '考虑', '如下', '是', '为')
"""Words behind a name."""

OTHER_NAMES = ('鉴别诊断', '诊断依据', '诊断分析', '诊断思路', '注意事项', '温馨提示', '依据', '理由', '说明', '备注')
"""Names of sections that are neither, and end the one before them: a differential diagnosis is no diagnosis."""


class Name(NamedTuple):
    """What the name of a section says."""

    kind: Optional[str]
    """:data:`DISEASE`, :data:`ADVICE`, or None for a section that is neither."""
    part: str
    """What tells the section from another part of its kind: ``治疗`` from ``检查``, ``诊断1`` from ``诊断2``."""
    weight: int


def _any(words: 'tuple[str, ...] | dict[str, int]') -> str:
    return '|'.join(sorted(words, key=len, reverse=True))


OTHER = _any(OTHER_NAMES)
"""Pattern of :data:`OTHER_NAMES`."""
NAME = (
    rf'(?:(?P<other>{OTHER})'
    rf'|(?:{_any(OWNERS)})?(?P<before>(?:(?:{_any(QUALIFIERS)})[的及和与]?){{0,3}})'
    rf'(?P<word>{DISEASE}|{ADVICE})(?P<number>[0-9一二三四五六七八九十]{{0,2}})(?:{_any(SUFFIXES)}){{0,2}}'
    r'(?:\([^()\n]{1,20}\))?)'
)
"""Pattern of a name; with :func:`name_of`."""
WORDS = _any((DISEASE, ADVICE, *OTHER_NAMES))
"""Pattern of the words of which each name holds one."""

_QUALIFIER = re.compile(_any(QUALIFIERS))
_NAME = re.compile(NAME)


def name_of(match: 're.Match[str]') -> Name:
    """Return the name that a pattern with :data:`NAME` in it has found."""
    if match['other']:
        return Name(None, '', PLAIN)
    weights = {QUALIFIERS[word] for word in _QUALIFIER.findall(match['before'])} - {PLAIN}
    part = match['before'] if match['word'] == ADVICE else ''
    return Name(match['word'], f'{part}{match["number"]}', max(weights, default=PLAIN))


def parse_name(text: str) -> Optional[Name]:
    """Return the name that ``text`` is; None where it is none, or that of a section that is neither."""
    match = _NAME.fullmatch(text)
    return name_of(match) if match and match['word'] else None
