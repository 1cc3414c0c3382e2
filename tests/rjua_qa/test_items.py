"""Splitting of lists: separators, list marks, what is stripped, what is empty, what counts once."""

import pytest
from evalscope_qa.rjua_qa.items import match_key, read_items
from hypothesis import given
from hypothesis import strategies as st

TWO = ['肾结石', '肾积水']


@pytest.mark.parametrize('separator', ['、', '，', ',', '；', ';', '、 ', ' ， ', '\n', '､', '﹔', '、、', '，\n'])
def test_each_separator_splits(separator: str) -> None:
    assert read_items(f'肾结石{separator}肾积水') == TWO


@pytest.mark.parametrize(
    'text',
    [
        '1. 肾结石\n2. 肾积水',
        '1.肾结石\n2.肾积水',
        '１．肾结石\n２．肾积水',
        '1、肾结石\n2、肾积水',
        '1）肾结石\n2）肾积水',
        '(1)肾结石\n(2)肾积水',
        '（1）肾结石；\n（2）肾积水。',
        '⑴肾结石\n⑵肾积水',
        '⒈肾结石\n⒉肾积水',
        '一、肾结石\n二、肾积水',
        '（一）肾结石\n（二）肾积水',
        '㈠肾结石\n㈡肾积水',
        '一．肾结石\n二．肾积水',
        '①肾结石\n②肾积水',
        '① 肾结石\n② 肾积水',
        '❶肾结石\n❷肾积水',
        '㊀肾结石\n㊁肾积水',
        '1️⃣ 肾结石\n2️⃣ 肾积水',
        'I. 肾结石\nII. 肾积水',
        'Ⅰ. 肾结石\nⅡ. 肾积水',
        'a) 肾结石\nb) 肾积水',
        '- 肾结石\n- 肾积水',
        '-肾结石\n-肾积水',
        '－ 肾结石\n－ 肾积水',
        '* 肾结石\n* 肾积水',
        '+ 肾结石\n+ 肾积水',
        '• 肾结石\n• 肾积水',
        '·肾结石\n·肾积水',
        '・肾结石\n・肾积水',
        '– 肾结石\n— 肾积水',
        '● 肾结石\n○ 肾积水',
        '■肾结石\n◆肾积水',
        '→ 肾结石\n➤ 肾积水',
        '✓ 肾结石\n✅ 肾积水',
        '💊 肾结石\n🔹肾积水',
        '- **肾结石**\n- **肾积水**',
        '**1. 肾结石**\n**2. 肾积水**',
        '- 1. 肾结石\n- 2. 肾积水',
        '  1. 肾结石\n\n  2. 肾积水\n',
        '> 肾结石\n> 肾积水',
    ],
)
def test_a_list_on_lines_of_its_own(text: str) -> None:
    assert read_items(text) == TWO


@pytest.mark.parametrize(
    'text',
    [
        '1.肾结石 2.肾积水',
        '1. 肾结石 2. 肾积水。',
        '1.肾结石2.肾积水',
        '1、肾结石2、肾积水',
        '1、肾结石；2、肾积水。',
        '1、肾结石、2、肾积水',
        '(1)肾结石(2)肾积水',
        '（1）肾结石，（2）肾积水',
        '1)肾结石 2)肾积水',
        '一、肾结石 二、肾积水',
        '一、肾结石；二、肾积水',
        '（一）肾结石（二）肾积水',
        '①肾结石②肾积水',
        '①肾结石；②肾积水。',
        '1️⃣肾结石2️⃣肾积水',
        '肾结石；(2)肾积水',
        '肾结石, 2) 肾积水',
    ],
)
def test_a_numbered_list_on_one_line(text: str) -> None:
    assert read_items(text) == TWO


def test_long_numberings_are_followed() -> None:
    items = [f'病{number}号' for number in range(1, 121)]
    assert read_items(' '.join(f'{number}.{item}' for number, item in enumerate(items, start=1))) == items
    han = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二']
    assert read_items(''.join(f'{numeral}、病{numeral}号' for numeral in han)) == [f'病{numeral}号' for numeral in han]


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('1.5cm肾结石', ['1.5cm肾结石']),
        ('2型糖尿病', ['2型糖尿病']),
        ('①2型糖尿病②肾结石', ['2型糖尿病', '肾结石']),
        ('1.每日饮水2.5升 2.复查', ['每日饮水2.5升', '复查']),
        ('1.肿瘤T2.期 2.复查', ['肿瘤T2.期', '复查']),
        ('1、24小时尿蛋白', ['24小时尿蛋白']),
        ('1.肾结石 3.肾积水', ['肾结石 3.肾积水']),
        ('1.5cm肾结石\n2.5cm肾积水', ['1.5cm肾结石', '2.5cm肾积水']),
        ('1.5cm肾结石、2.5cm肾积水', ['1.5cm肾结石', '2.5cm肾积水']),
        ('左肾1.5cm结石、右肾2.0cm结石', ['左肾1.5cm结石', '右肾2.0cm结石']),
        ('血压120/80、PSA 4.0', ['血压120/80', 'PSA 4.0']),
        ('一级护理', ['一级护理']),
        ('十二指肠溃疡', ['十二指肠溃疡']),
        ('5-FU灌注', ['5-FU灌注']),
        ('B超', ['B超']),
        ('E. coli感染', ['E. coli感染']),
        ('左氧氟沙星0.5g', ['左氧氟沙星0.5g']),
        ('5*5mm结石', ['5*5mm结石']),
        ('α-受体阻滞剂', ['α-受体阻滞剂']),
        ('(右侧)输尿管结石', ['(右侧)输尿管结石']),
        ('九十九、甲病一百、乙病', ['甲病一百', '乙病']),
        ('二一、甲病二二、乙病', ['甲病二二', '乙病']),
    ],
)
def test_what_looks_like_a_mark_but_is_none(text: str, items: list[str]) -> None:
    assert read_items(text) == items


@pytest.mark.parametrize(
    'text',
    ['肾结石。', '肾结石.', '肾结石．', '肾结石｡', ' 肾结石 ', '\u3000肾结石\u3000', '**肾结石**', '*肾结石*',
     '`肾结石`', '“肾结石”', '"肾结石"', '‘肾结石’', '「肾结石」', "'肾结石。'", '**“肾结石。”**', '[肾结石]',
     '【肾结石】', '__肾结石__', '["肾结石"]', '肾结石……', '\u200b肾结石\ufeff', '- “肾结石”；', '"肾结石',
     '<b>肾结石</b>', '$肾结石$', '肾结石 |', '~~膀胱癌~~、肾结石'],
)  # fmt: skip
def test_what_surrounds_an_item_is_stripped(text: str) -> None:
    assert read_items(text) == ['肾结石']


@pytest.mark.parametrize(
    'text', ['', ' ', '无', '无。', ' 无 ', '**无**', '1. 无', '“无”', '[无]', '、', '，；', '。', '-', '[]', '①']
)
def test_an_empty_list(text: str) -> None:
    assert read_items(text) == []


def test_no_item_beside_others_is_dropped() -> None:
    assert read_items('无、肾结石') == ['肾结石']
    assert read_items('无症状血尿') == ['无症状血尿']


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('前列腺增生、前列腺增生', ['前列腺增生']),
        ('前列腺增生、 前列腺 增生。', ['前列腺增生']),
        ('前列腺 增生、前列腺增生', ['前列腺 增生']),
        ('尿路感染（急性）、尿路感染(急性)', ['尿路感染(急性)']),
        ('ＣＴ、CT、MRI', ['CT', 'MRI']),
        ('Ⅲ期、III期', ['III期']),
        ('ct、CT', ['ct', 'CT']),
    ],
)
def test_an_item_that_comes_again_in_nfkc_and_without_white_space_counts_once(text: str, items: list[str]) -> None:
    assert read_items(text) == items


@pytest.mark.parametrize(
    ('text', 'items'),
    [
        ('尿路感染（急性、复杂性）', ['尿路感染(急性', '复杂性)']),
        ('每日饮水2,000毫升', ['每日饮水2', '000毫升']),
        ('手术，术后复查', ['手术', '术后复查']),
    ],
)
def test_separators_separate_wherever_they_stand(text: str, items: list[str]) -> None:
    """The published lists are split so; the gold list is read by the same function."""
    assert read_items(text) == items


def test_a_full_stop_inside_an_item_does_not_split_it() -> None:
    assert read_items('多饮水。药物排石。') == ['多饮水。药物排石']


def test_the_key_of_an_item_has_no_white_space() -> None:
    assert match_key(' 肾\u3000结 石\n') == '肾结石'


@given(st.lists(st.text(alphabet='肾结石炎症ABC19()', min_size=1).filter(lambda item: any(map(str.isalpha, item)))))
def test_joined_items_are_read_back(items: list[str]) -> None:
    # Behind a letter no list mark can stand, so that any item is fit.
    marked = [f'病{item}' for item in items]
    assert read_items('、'.join(marked)) == list(dict.fromkeys(marked))
    assert read_items('\n'.join(f'- {item}' for item in marked)) == list(dict.fromkeys(marked))
    assert read_items(' '.join(f'({n}){item}' for n, item in enumerate(marked, start=1))) != [] or not marked
