"""Takes the markup off a reply, so that the rules of ``verdict`` see words, punctuation and line breaks only.

Every step is one pass over the text.
"""

import re
import unicodedata

_NFKC_CHUNK = 64
"""Characters normalised at once: sorting a long run of combining marks costs the square of its length."""

_LONG_LIGATURES = str.maketrans(dict.fromkeys('\ufdfa\ufdfb' + ''.join(map(chr, range(0x3300, 0x3358))), '\u0635'))
"""Arabic phrases and squared katakana words, none with a Latin letter, become one letter: NFKC would make up to 18."""

_MARKUP = {'*': None, '`': '"', **dict.fromkeys('{}$\t', ' '), **dict.fromkeys('\r\v\f\x1c\x1d\x1e', '\n')}
_ASCII = str.maketrans(_MARKUP)
_UNICODE = str.maketrans(
    {
        **_MARKUP,
        **dict.fromkeys('‘’‚‛ʼ′‵‹›', "'"),
        **dict.fromkeys('“”„‟″‶«»「」『』〝〞〟', '"'),
        **dict.fromkeys('\u2010\u2212', '-'),  # hyphen, minus sign
        '\u2012': '–',
        '\u2015': '—',
        '。': '.',
        '、': ',',
        **dict.fromkeys('\x85\u2028\u2029', '\n'),
        **dict.fromkeys('\xad\u200b\u200c\u200d\u2060\ufeff', None),  # invisible
    }
)
_LATEX_GROUP = re.compile(r'\\(?:(?:boxed|fbox|emph|text[a-z]*|math[a-z]*)\s*\{|[()\[\]])')
_UNDERSCORE_EMPHASIS = re.compile(r'_(?:(?<!\w_)_*|(?<=[^\W_]_)_*(?!\w))')
_QUOTE_RUN = re.compile('["\']["\']+')
_BLANK_RUN = re.compile(' {2,}')
_LINE_BREAK = re.compile(r'[ \n]\n[ \n]*|\n ')
_LINE_MARKER = re.compile(
    r'\n(?:[>#] ?|(?:[-+•‣◦●▪–—]|\d{1,3}[.)]|[A-Za-z][.)]|\((?:\d{1,3}|[A-Za-z])\)|\[[xX✓✔]\]|[☑☒✓✔✅]) )+'
)
"""Block quotes, headings, list items and ticked boxes."""
_UNTICKED_LINE = re.compile(r'\n(?:[-+•] ?)?(?:\[ \]|☐)[^\n]*')


def plain_text(reply: str) -> str:
    """Return the words of a reply.

    Unicode variants are folded (NFKC), typographic quotes and hyphens become ASCII. Emphasis, headings, list markers,
    block quotes and LaTeX groups are taken off; code ticks become quotes. Runs of blanks, of line breaks and of quotes
    become one character. An option whose box is not ticked is left out.

    Args:
        reply: Markdown of any length and content.

    Returns:
        Lines without space around them.
    """
    if reply.isascii():
        table, text = _ASCII, reply
    else:
        table, text = _UNICODE, _fold_compatible(reply)
    if '\\' in text:
        text = _LATEX_GROUP.sub(' ', text)
    text = text.translate(table)
    if '_' in text:
        text = _UNDERSCORE_EMPHASIS.sub('', text)
    text = _QUOTE_RUN.sub('"', text)
    if '  ' in text:
        text = _BLANK_RUN.sub(' ', text)
    if '\n' in text:
        text = _LINE_BREAK.sub('\n', text)
    lines = '\n' + text.strip()
    if '[ ]' in lines or '☐' in lines:
        lines = _UNTICKED_LINE.sub('', lines)
    return _LINE_MARKER.sub('\n', lines).strip()


def _fold_compatible(text: str) -> str:
    text = text.translate(_LONG_LIGATURES)
    chunks = (text[start : start + _NFKC_CHUNK] for start in range(0, len(text), _NFKC_CHUNK))
    return ''.join(unicodedata.normalize('NFKC', chunk) for chunk in chunks)
