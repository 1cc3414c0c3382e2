"""Takes the markup off a reply proper, so that the rules see words, punctuation, line breaks and a few symbols.

What marks a place for the answer (a tag, a LaTeX box, a key of JSON, a ticked box) becomes one symbol of Unicode's
private use area; emphasis, quotes, headings, code ticks, other LaTeX and HTML go. Every step is one pass over the text.
"""

import html
import re
import unicodedata

from .tables import ANSWER_KEYS, ANSWER_TAGS, BOXES

TAG, BOX, KEY, CLOSE, TICKED, UNTICKED = map(chr, range(0xE000, 0xE006))
"""Symbols: what opens a marked answer, what closes it, and boxes."""

_NFKC_CHUNK = 64
"""Characters normalised at once: sorting a long run of combining marks costs the square of its length."""

_PRIVATE = dict.fromkeys(range(0xE000, 0xF8FF), ' ')
LONG_LIGATURES = dict.fromkeys([0xFDFA, 0xFDFB, *range(0x3300, 0x3358)], '\u0635')
"""Arabic phrases and squared katakana words, none with a Latin letter: NFKC would make up to 18 letters of each."""
_BEFORE_FOLDING = {
    **_PRIVATE,
    **LONG_LIGATURES,
    **dict.fromkeys(map(ord, '¹²³⁰⁴⁵⁶⁷⁸⁹'), None),  # footnotes, which NFKC would make digits of the word before
    **dict.fromkeys(map(ord, '“”„‟″‶«»「」『』〝〞〟'), '"'),
    **dict.fromkeys(map(ord, '‘’‚‛ʼ′‵‹›'), "'"),
    **dict.fromkeys(map(ord, '\u2010\u2011\u2012\u2212'), '-'),
    **dict.fromkeys(map(ord, '―'), '—'),
    **dict.fromkeys(map(ord, '▁\u00a0'), ' '),
    **dict.fromkeys(map(ord, '→⇒➔➜'), ':'),
    **dict.fromkeys(map(ord, '。'), '. '),
    **dict.fromkeys(map(ord, '、'), ','),
    **dict.fromkeys(map(ord, '\x85\u2028\u2029'), '\n'),
    **dict.fromkeys(map(ord, '【〔'), '['),
    **dict.fromkeys(map(ord, '】〕'), ']'),
}

_STRUCK = re.compile(r'~~[^~]*~~|<(?:s|del|strike)>[^<]*</(?:s|del|strike)>', re.IGNORECASE)
_TICK = re.compile(r'(?<!\w)(?:\[[xX✓✔]\]|\([xX✓✔]\))|[☑☒✓✔✅●◉]')
_NO_TICK = re.compile(r'\[ {0,2}\]|\( {1,2}\)|[☐○◯✗✘❌]')
_ASCII_BOXES = ('[x]', '[X]', '(x)', '(X)', '[ ]', '( )')
_TICK_CHARACTERS = frozenset('☑☒✓✔✅●◉☐○◯✗✘❌')

_BOXED = re.compile(rf'\\(?:{"|".join(BOXES)})\s?\{{((?:[^{{}}\n]|\{{[^{{}}\n]{{0,200}}\}}){{0,300}})(?:\}}|(?=\n)|\Z)')
_LATEX_GROUP = re.compile(r'\\(?:emph|text[a-z]*|math[a-z]*|bf|it|rm|underline|operatorname)\s?\{')
_LATEX_SPACE = re.compile(r'\\[()\[\],;:! ]|\\q?quad\b')

_BRACKETED_NAME = re.compile(r'[\[(]((?:最终|正确|参考)?答案)[\])]\s?:?')
"""``【答案】B``"""

_TAG_NAMES = '|'.join(ANSWER_TAGS)
_ANSWER_TAG = re.compile(rf'<(?:{_TAG_NAMES})(?:\s[^<>]*)?>', re.IGNORECASE)
_ANSWER_TAG_END = re.compile(rf'</(?:{_TAG_NAMES})\s*>', re.IGNORECASE)
_CUT_TAG = re.compile(r'</?\w{0,12}\Z')
_FENCE = re.compile(
    r'```(?:json|yaml|yml|text|txt|plaintext|markdown|md|latex|tex|html|xml|python)?(?=\s)', re.IGNORECASE
)
_HTML = re.compile(
    r'<sup[^<>]{0,40}>[^<>]{0,20}</sup>|</?(?:b|i|u|strong|em|p|div|span|code|pre|li|ul|ol|h[1-6]|td|tr|th|table|tbody'
    r'|thead|font|mark|sub|center|blockquote)(?:\s[^<>]{0,200})?/?>',
    re.IGNORECASE,
)
_LINE_BREAK_TAG = re.compile(r'<br\s?/?>', re.IGNORECASE)
_ARROW = re.compile(r'[=-]+>')
_QUOTE_MARK = re.compile(r'^[ \t]*(?:>[ \t]*)+', re.MULTILINE)

_KEYS = frozenset(re.sub('[ _-]', '', key.lower()) for key in ANSWER_KEYS)
_JSON_KEY = re.compile(r'(["\'])([^\W\d][\w -]{0,30})\1\s{0,20}:[^\S\n]{0,20}\n?[^\S\n]{0,40}')
_JSON_VALUE = re.compile(
    r'"(?P<double>(?:[^"\\]|\\.){0,2000})(?:"|\Z)|\'(?P<single>(?:[^\'\\]|\\.){0,2000})(?:\'|\Z)'
    r'|\{(?P<object>[^{}]{0,2000})(?:\}|\Z)|\[(?P<array>[^\[\]]{0,2000})(?:\]|\Z)|(?P<bare>[^,}\]\n"\']{1,200})',
    re.DOTALL,
)
_VALUE_KEYS = frozenset(('value', 'text', 'letter', 'id', 'name', *_KEYS))

_WORDS = {
    **dict.fromkeys(map(ord, '*`"$'), None),
    **dict.fromkeys(map(ord, '{[<'), '('),
    **dict.fromkeys(map(ord, '}]>'), ')'),
    **dict.fromkeys(map(ord, '_\t\v\f\x1c\x1d\x1e\x1f'), ' '),
    ord('#'): '\n',  # a heading, or a comment behind a value
}
_APOSTROPHE = re.compile(r"'(?:(?<![^\W_]')|(?![^\W_]))")
_QUOTED_WORD = re.compile(r'(["\'])(?<!\w.)(?P<word>[^\W_]{1,5})(?P<end>[.,!]?)\1(?!\w)')
_SPACES = re.compile(' {2,}')
_LINE_ENDS = re.compile(r'\n[ \n]+')
_TABLE_RULE = re.compile(r'^[|:= +-]+$', re.MULTILINE)
_TABLE_EDGE = re.compile(r'^\| ?| ?\|$', re.MULTILINE)
_LIST_MARK = re.compile(r'^(?:[-+•‣◦▪–—·] ?)+(?!\d)', re.MULTILINE)


def plain(text: str) -> str:
    """Return the words of a reply proper, with symbols where it marks an answer.

    Args:
        text: Markdown, HTML, LaTeX or JSON of any length and content; line ends are ``\\n``.

    Returns:
        Lines without space around them, none blank. Brackets of any kind are round ones.
    """
    if not text.isascii():
        text = _folded(text)
    if '答案' in text:
        text = _BRACKETED_NAME.sub(r'\1:', text)
    if '&' in text:
        text = html.unescape(text).replace('\r', '\n')
    if '```' in text:
        text = _FENCE.sub(' ', text)
    if '~~' in text or '<s>' in text or '<del>' in text:
        text = _STRUCK.sub(' ', text)
    if any(box in text for box in _ASCII_BOXES) or not (text.isascii() or _TICK_CHARACTERS.isdisjoint(text)):
        text = _NO_TICK.sub(UNTICKED, _TICK.sub(TICKED, text))
    if '\\' in text:
        text = _BOXED.sub(rf'{BOX}\1{CLOSE}', text)
        text = _LATEX_SPACE.sub(' ', _LATEX_GROUP.sub(' (', text))
    if '\\"' in text:
        text = text.replace('\\"', '"')
    if ':' in text and ('"' in text or "'" in text):
        text = _mark_json_keys(text)
    if '<' in text:
        cut = _CUT_TAG.search(text, max(len(text) - 16, 0))
        if cut is not None:
            text = text[: cut.start()]
    if '<' in text and '>' in text:
        text = _ANSWER_TAG_END.sub(CLOSE, _ANSWER_TAG.sub(TAG, text))
        text = _HTML.sub(' ', _LINE_BREAK_TAG.sub('\n', text))
    if '>' in text:
        text = _QUOTE_MARK.sub('', _ARROW.sub(':', text))
    if '"' in text or "'" in text:
        text = _QUOTED_WORD.sub(r'(\g<word>)\g<end>', text)
    text = text.translate(_WORDS)
    if "'" in text:
        text = _APOSTROPHE.sub('', text)
    if '  ' in text:
        text = _SPACES.sub(' ', text)
    if '\n' in text:
        text = _LINE_ENDS.sub('\n', text.replace(' \n', '\n'))
    if '|' in text:
        text = _LINE_ENDS.sub('\n', _TABLE_EDGE.sub('', _TABLE_RULE.sub('', text)).replace(' \n', '\n'))
    return _LIST_MARK.sub('', text.strip()).strip()


def _folded(text: str) -> str:
    text = text.translate(_BEFORE_FOLDING)
    if text.isascii():
        return text
    return fold_compatible(text)


def fold_compatible(text: str) -> str:
    """Fold Unicode variants (NFKC), in time linear in the length of ``text``."""
    chunks = (text[start : start + _NFKC_CHUNK] for start in range(0, len(text), _NFKC_CHUNK))
    return ''.join(unicodedata.normalize('NFKC', chunk) for chunk in chunks)


def _mark_json_keys(text: str) -> str:
    """Put the value of every key that names the answer between symbols."""
    pieces: list[str] = []
    position = 0
    for key in _JSON_KEY.finditer(text):
        if key.start() < position or re.sub('[ _-]', '', key[2].lower()) not in _KEYS:
            continue
        value = _JSON_VALUE.match(text, key.end())
        if value is None:
            continue
        pieces += [text[position : key.start()], KEY, _value_text(value), CLOSE]
        position = value.end()
    pieces.append(text[position:])
    return ''.join(pieces)


def _value_text(value: 're.Match[str]') -> str:
    if value['object'] is not None:
        for key in _JSON_KEY.finditer(value['object']):
            if key[2].lower() in _VALUE_KEYS:
                inner = _JSON_VALUE.match(value['object'], key.end())
                if inner is not None:
                    return inner[0]
        return value['object']
    if value['array'] is not None:
        return value['array']
    text = next(group for group in (value['double'], value['single'], value['bare']) if group is not None)
    return text.replace('\\n', '\n').replace('\\"', '"') if '\\' in text else text
