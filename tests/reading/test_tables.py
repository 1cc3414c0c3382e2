"""Every entry of the tables of reading is needed: each row here is read wrongly without its entry.

``ENTRIES`` repeats the tables, so that an entry that is lost, or added without a row, shows.
"""

import re
from typing import Any, Callable

import pytest
from evalscope_qa.reading import (
    read_letter,
    read_listing,
    read_ranking,
    read_short_text,
    read_verdict,
    tables,
)


def verdict(reply: str) -> str | None:
    return read_verdict(reply).answer


def letter(reply: str) -> str | None:
    return read_letter(reply, 10).answer


def text(reply: str) -> str | None:
    return read_short_text(reply).answer


def reason(reply: str) -> str:
    return read_verdict(reply).rule


Row = tuple[Callable[[str], Any], str, Any]
"""What reads, a reply with ``{}`` in the place of the entry, and the reading; an empty reading is None."""

REASONING_MARKERS = [
    ('<think>', '</think>'), ('<thinking>', '</thinking>'), ('<thought>', '</thought>'), ('<thoughts>', '</thoughts>'),
    ('<reason>', '</reason>'), ('<reasoning>', '</reasoning>'), ('<analysis>', '</analysis>'),
    ('<reflection>', '</reflection>'), ('<scratchpad>', '</scratchpad>'), ('<seed:think>', '</seed:think>'),
    ('[think]', '[/think]'), ('◁think▷', '◁/think▷'), ('<|thinking|>', '<|/thinking|>'),
    ('<|begin_of_thought|>', '<|end_of_thought|>'), ('<|start_thinking|>', '<|end_thinking|>'),
]  # fmt: skip


@pytest.mark.parametrize(('opening', 'closing'), REASONING_MARKERS)
def test_reasoning_markers(opening: str, closing: str) -> None:
    for case in (str.lower, str.upper, str.title):
        begin, end = case(opening), case(closing)
        assert verdict(f'{begin}Answer: yes{end}No') == 'NO'
        assert verdict(f'Answer: yes{end}No') == 'NO'
        assert verdict(f'No\n{begin}The final answer is yes.') == 'NO'
        assert read_verdict(f'{begin}Answer: yes').rule == 'cut off'
        assert text(f'{begin}Rome{end}') is None
        assert read_ranking(f'{begin}[2] > [1]{end}[1] > [2]', 2).answer == (1, 2)


STOP_TOKENS = [
    '<s>', '</s>', '<pad>', '<bos>', '<eos>', '<eot>', '<EOS_TOKEN>', '<end_of_turn>', '<start_of_turn>model',
    '<|im_end|>', '<|im_start|>assistant', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|endoftext|>',
    '<|end_of_sentence|>', '<｜end▁of▁sentence｜>', '<|begin_of_text|>',
    '<|start_header_id|>assistant<|end_header_id|>', '<|assistant|>', '<|begin_of_solution|>', '<|end_of_solution|>',
    '<|start_response|>', '<|end_response|>', '<|END_OF_TURN_TOKEN|>', '<|end|>', '<|return|>', '[/INST]',
]  # fmt: skip


@pytest.mark.parametrize('token', STOP_TOKENS)
def test_stop_tokens(token: str) -> None:
    for written in (token, token.lower(), token.upper()):
        assert text(f'Paris{written}') == 'Paris'
        assert text(f'{written}Paris') == 'Paris'
        assert read_verdict(written).rule == 'empty'
        assert verdict(f'No{written}') == 'NO'


TURN_OPENINGS = [
    'Question:', 'Q:', 'Next question:', 'User:', 'Human:', 'Options:', '问题:', '用户:', '==',
    "Now, let's summarize all the answers",
    "Now, let's总结",
    '总结以上答案',
    '总结所有答案',
    '患者的问题:',
]  # fmt: skip


@pytest.mark.parametrize('opening', TURN_OPENINGS)
def test_turn_openings(opening: str) -> None:
    assert verdict(f'The answer is no.\n\n{opening} Was it safe?\nThe answer is yes.') == 'NO'
    assert verdict(f'The answer is no.\n\nWas it safe? {opening[:1]}\nThe answer is yes.') is None
    assert read_ranking(f'[2] > [1]\n{opening} another\n[1] > [2]', 2).answer == (2, 1)


TURN_TOKENS = [
    '<|im_start|>user', '<|start_header_id|>user<|end_header_id|>', '<start_of_turn>user', '<|user|>', '[INST]',
]  # fmt: skip


@pytest.mark.parametrize('token', TURN_TOKENS)
def test_turn_tokens(token: str) -> None:
    for written in (token, token.lower(), token.upper()):
        assert verdict(f'The answer is no.{written}Was it safe?\nThe answer is yes.') == 'NO'
        assert read_ranking(f'[2] > [1]{written}another\n[1] > [2]', 2).answer == (2, 1)
        assert text(f'Answer: Rome{written}another\nAnswer: Oslo') == 'Rome'


ANSWER_TAGS = ['answer', 'final_answer', 'ans', 'solution']


@pytest.mark.parametrize('tag', ANSWER_TAGS)
def test_answer_tags(tag: str) -> None:
    assert read_verdict(f'Yes.\n<{tag}>no</{tag}>').rule == 'marked: <answer>'
    assert text(f'<{tag}>Rome</{tag}>\nThat is it.') == 'Rome'
    assert read_listing(f'[1] says [3]\n<{tag}>2</{tag}>\nIt does.', 3).answer == (2,)


BOXES = ['boxed', 'fbox', 'Box', 'framebox']


@pytest.mark.parametrize('box', BOXES)
def test_boxes(box: str) -> None:
    assert read_verdict(f'Yes. \\{box}{{no}} it is').rule == 'marked: \\boxed'
    assert text(f'\\{box}{{Rome}}\nThat is it.') == 'Rome'
    assert read_listing(f'It says so in [1] and [3].\n\\{box}{{2}} as said', 3).answer == (2,)


ANSWER_KEYS = [
    'answer', 'final_answer', 'correct_answer', 'short_answer', 'answer_choice', 'answer_letter', 'choice',
    'final_choice', 'correct_choice', 'option', 'correct_option', 'selected_option', 'decision', 'final_decision',
    'verdict', 'final_verdict', 'prediction', 'label', 'conclusion', 'classification', 'response', 'result', 'ranking',
    '答案', '最终答案', '正确答案', '结论', '选项', '选择',
]  # fmt: skip


@pytest.mark.parametrize('key', ANSWER_KEYS)
def test_answer_keys(key: str) -> None:
    for written in (key, key.title(), key.replace('_', ' '), key.replace('_', '-'), key.title().replace('_', '')):
        assert read_verdict(f'{{"note": "yes", "{written}": "no", "more": 1}}').rule == 'marked: key'
        assert text(f'{{"{written}": "Rome", "more": "text"}}') == 'Rome'
        assert read_ranking(f'{{"note": "[3] > [1]", "{written}": [2, 1], "more": "text"}}', 3).answer == (2, 1)


def words(entries: str) -> list[str]:
    return entries.split()


def lines(entries: str) -> list[str]:
    return [line.strip() for line in entries.strip().splitlines()]


ENTRIES: dict[str, tuple[list[Any], list[Row]]] = {
    'ANSWER_NAMES': (
        words("""answer answers ans option choice verdict conclusion decision response result prediction label
        classification judgment judgement determination assessment selection"""),
        [
            (verdict, 'They met. The {} is no.', 'NO'),
            (verdict, '{}: no, they say', 'NO'),
            (letter, 'The {} is B.', 'B'),
        ],
    ),
    'CHOSEN_NAMES': (
        words('options choices statement statements one ones item alternative description sentence'),
        [(letter, 'The correct {} is B.', 'B'), (letter, 'The most likely {} would be (B) here.', 'B')],
    ),
    'CHOOSING_ADJECTIVES': (
        words('correct right best true appropriate accurate suitable closest likely valid'),
        [(letter, 'The {} statement is B.', 'B'), (letter, 'The {} alternative must be C, they say.', 'C')],
    ),
    'CHINESE_ANSWER_NAMES': (
        words('答案 选项 选择 结论 判断 回答'),
        [(verdict, '这个{}应该是no这样', 'NO'), (letter, '我的{}为B。其他都错', 'B')],
    ),
    'CHINESE_CHOOSING': (
        words('选 选择'),
        [(letter, '看图,{}B。其他都错', 'B'), (verdict, '看图,{}no这样', 'NO')],
    ),
    'CHINESE_CHOOSING_ADJECTIVES': (
        words('正确 最 应 我的 所选'),
        [(letter, '这是{}选项:\nB,甲\n以后再说。', 'B')],
    ),
    'NOT_THE_ANSWER': (
        words("""each every wrong incorrect opposite other another alternative distractor naive tempting expected
        typical common popular possible worst least previous earlier first initial original"""),
        [(verdict, 'They met. The {} answer is no.', None), (letter, 'The {} option would be B.', None)],
    ),
    'EXPLANATION_NAMES': (
        words("""explanation explanations rationale reason reasons reasoning justification evidence note notes comment
        comments details discussion background caveat caveats confidence 解释 解析 理由 说明 原因 分析 注"""),
        [
            (verdict, 'Answer: no\n\n{}: They would say that the answer is yes.', 'NO'),
            (verdict, 'Answer: no\n\n## {}\nThey would say that the answer is yes.', 'NO'),
        ],
    ),
    'COPULAS': (
        words("is are was remains becomes equals reads"),
        [(verdict, 'The final answer {} no, they say.', 'NO'), (letter, 'The best option {} B, they say.', 'B')],
    ),
    'MODALS': (
        words('would should must will shall'),
        [(verdict, 'The final answer {} be no, they say.', 'NO')],
    ),
    'SEEMING': (
        words('appears seems has likely ought needs have appear seem'),
        [(verdict, 'The final answer {} to be no, they say.', 'NO')],
    ),
    'HEDGING_ADVERBS': (
        words("""clearly definitely simply just probably likely most very strongly tentatively therefore thus indeed
        actually still then almost certainly hence also overall obviously again instead presumably apparently"""),
        [
            (verdict, 'The final answer is {} no, they say.', 'NO'),
            (verdict, 'The final answer is {} no in all arms, they say.', 'NO'),
        ],
    ),
    'HEDGES': (
        words("""a an the that clear qualified definite definitive simple strong resounding firm tentative cautious as
        follows now here in fact option choice letter answer statement"""),
        [(verdict, 'The final answer is {} no, they say.', 'NO'), (letter, 'The final answer is {} B, they say.', 'B')],
    ),
    'BEFORE_OPTION': (
        words('is be by to with as therefore thus so matches choose select pick ,'),
        [(letter, 'They met. It {} option B. They parted.', 'B')],
    ),
    'SAYING': (
        words('say answer choose select pick conclude respond reply vote pronounce chose answered'),
        [(verdict, 'All told, I {} no, they write.', 'NO')],
    ),
    'SAYING_TOWARDS': (
        lines("""go with
        going with
        went with
        lean towards
        lean toward
        lean to
        leaning towards
        leaning toward
        answer with
        respond with
        reply with
        opt for
        vote for
        settle on
        settle for
        choose option
        select option
        pick option
        question as
        question with"""),
        [(verdict, 'All told, I {} no, they write.', 'NO')],
    ),
    'EVIDENCE': (
        words("""evidence data abstract findings finding results study studies trial text passage context information
        authors everything this"""),
        [(verdict, 'All told, {} suggests no, they write.', 'NO')],
    ),
    'SUPPORTING': (
        lines("""favours
        favors
        favour
        favor
        supports
        support
        suggests
        suggest
        indicates
        indicate
        points to
        point to
        points towards
        point towards
        points toward
        point toward
        pointing to
        leads to
        lead to"""),
        [(verdict, 'All told, the evidence {} no, they write.', 'NO')],
    ),
    'INTRODUCTIONS': (
        words("""so thus therefore hence consequently accordingly overall conclusion summary short sum brief ultimately
        finally then"""),
        [(verdict, 'They met. {}, no. They parted.', 'NO'), (verdict, 'They met. Well {} no. They parted.', 'NO')],
    ),
    'INTRODUCING_CLAUSES': (
        words('based according given judging considering from in on to after taking taken by'),
        [(verdict, 'They met. {} all of it together, no. They parted.', 'NO')],
    ),
    'CORRECTIONS': (
        [*lines("""final
        finally
        ultimately
        correct answer
        correct option
        correct choice
        correcting
        correction
        corrected
        correct this
        correct that
        wait
        actually
        on reflection
        upon reflection
        on second thought
        reconsider
        reconsidering
        however
        but
        instead
        rather
        therefore
        so
        thus
        hence
        consequently
        in conclusion
        to conclude
        in summary
        overall
        after all
        combining
        taken together"""), *words('最终 因此 所以 综上 故 但 然而 不对 更正 应为')],
        [
            (verdict, 'The answer is yes. Hm. {}. The answer is no.', 'NO'),
            (text, '<answer>Rome</answer> {} <answer>Oslo</answer>', 'Oslo'),
        ],
    ),
    'CORRECTING_ALONE': (
        words('actually instead rather correction'),
        [(verdict, 'The answer is yes. Wait, {} no.', 'NO')],
    ),
    'OVERALL': (
        [*lines("""final
        finally
        overall
        ultimately
        in conclusion
        in summary
        combining
        taken together"""), *words('最终 综上')],
        [(verdict, '(a) The answer is yes. (b) The answer is maybe. Hm. {}: the answer is no.', 'NO')],
    ),
    'HYPOTHETICAL': (
        words("""whether if unless suppose supposing assuming unclear doubt either neither nor not never cannot don't
        doesn't isn't can't won't couldn't wouldn't didn't shouldn't aren't wasn't eliminate exclude unlike than
        hardly"""),
        [(verdict, 'They met. {} they think the answer is no then.', None)],
    ),
    'AFTER_NO': (
        words("""because since as to for at on under with from given based according due depending if when but and or i
        we it he she they you the this that these those there an so after before by among across is without during
        regardless unless although though while would which their our its his her not then here maybe yes no in a"""),
        [(verdict, 'They met. The answer is no {} it all.', 'NO'), (verdict, 'The answer is yes or no {} it.', None)],
    ),
    'AFTER_MAYBE': (
        words("""because since as to for at on under with in from given based according due depending if when but and or
        is not would then here yes no maybe"""),
        [
            (verdict, 'They met. The answer is maybe {} it all.', 'MAYBE'),
            (verdict, 'The answer is yes or maybe {} it.', None),
        ],
    ),
    'DETERMINERS': (
        words("""the this that these those there it they we he she i you its their our his her my your a an both all
        each neither none some"""),
        [(verdict, 'NO {} arms differed.', 'NO'), (verdict, 'MAYBE {} arms differed.', 'MAYBE')],
    ),
    'AFTER_LETTER_A': (
        words('because since as is or and but for if with would in which from by given then here'),
        [(letter, 'They met. The answer is A {} it all.', 'A'), (letter, 'The answer is B or A {} it.', None)],
    ),
    'AFTER_LETTER_I': (
        words('because since is or and but for if with which given as then here'),
        [(letter, 'They met. The answer is I {} it all.', 'I'), (letter, 'The answer is B or I {} it.', None)],
    ),
    'PLACEHOLDERS': (
        lines("""your answer
        your answer here
        your final answer
        your short answer
        answer
        answer here
        the answer
        short answer
        final answer
        letter
        text
        label
        ...
        …
        你的答案
        答案"""),
        [
            (text, 'Rome\n<answer>{}</answer>', 'Rome'),
            (text, '<answer>{}</answer>\n<answer>Oslo</answer>', 'Oslo'),
        ],
    ),
}  # fmt: skip


EXCEPTIONAL = {'if', 'unless', 'would', 'yes', 'no'}
"""Behind a label of ``AFTER_…`` these take its statement back or make a list of it: only the second row is theirs."""

ROWS = [
    pytest.param(read, reply, expected, entry, id=f'{table}-{entry}-{index}')
    for table, (entries, rows) in ENTRIES.items()
    for entry in entries
    for index, (read, reply, expected) in enumerate(rows)
    if index or not (table.startswith('AFTER') and entry in EXCEPTIONAL)
]


@pytest.mark.parametrize(('read', 'reply', 'expected', 'entry'), ROWS)
def test_an_entry_decides_its_row(read: Callable[[str], Any], reply: str, expected: Any, entry: str) -> None:
    assert read(reply.replace('{}', entry)) == expected
    assert read(reply.replace('{}', 'zebra')) != expected


def test_the_rows_are_those_of_the_tables() -> None:
    held = {table: [entry.lower() for entry in entries] for table, (entries, _) in ENTRIES.items()}
    held['HEDGES'] += held['HEDGING_ADVERBS']
    for name in ('STOP_TOKENS', 'TURN_OPENINGS', 'TURN_TOKENS', 'ANSWER_TAGS', 'BOXES', 'ANSWER_KEYS'):
        held[name] = [entry.lower() for entry in globals()[name]]
    for name, entries in held.items():
        table = [' '.join(entry) if isinstance(entry, tuple) else entry for entry in getattr(tables, name)]
        plain = [re.sub(r'\(\?!.*\\b', '', entry).removesuffix(')').removesuffix(')\\b') for entry in table]
        assert sorted(entry.lower() for entry in plain) == sorted(entries), name
    assert list(tables.REASONING_MARKERS) == REASONING_MARKERS


REFUSALS = [
    # One row a way to say it.
    'I cannot answer this.', 'It can not be determined.', "I can't say.", 'I could not decide.', "One couldn't tell.",
    'I am unable to provide it.', 'We are not able to give it.', 'It is impossible to rank them.',
    'It is not possible to conclude that.', 'I cannot help.', "I can't choose.", 'They are unable to select it.',
    'It cannot be safely determined.', "I don't know.", 'I do not have it.', 'The text does not provide it.',
    "The text doesn't contain it.", 'It does not mention it.', 'They do not say so.', 'It does not state it.',
    'It does not give it.', 'It does not specify it.', 'It does not include it.', 'There is not enough information.',
    'We see insufficient evidence.', 'They had no data.', 'There is a lack of context.', 'It lacks details.',
    'That is not clear.', 'I am not sure.', 'It is not certain.', 'It is not enough.', 'That is not stated.',
    'That is not mentioned.', 'It is not given.', 'It is not provided.', 'It is not specified.',
    'It is not answerable.', 'It is unknown.', 'It is unclear.', 'It is uncertain.', 'That is undetermined.',
    'It is unanswerable.',
    'That is indeterminate.', 'That is inconclusive.', 'Sorry.', 'I apologize.', 'We apologise.', 'As an AI, hm.',
    '无法判断。', '不能确定。', '不知道。', '不确定。', '抱歉。', '对不起。', '没有足够的东西。', '信息不足。',
    '难以判断。',
]  # fmt: skip


@pytest.mark.parametrize('reply', REFUSALS)
def test_a_reply_that_says_why_it_does_not_answer_refuses(reply: str) -> None:
    assert read_verdict(reply).rule == 'refused'
    assert read_verdict(f'They met.\n{reply}').rule == 'refused'
    assert read_ranking(reply, 3).rule == 'refused'


def test_a_reply_that_says_nothing_of_it_states_nothing() -> None:
    assert read_verdict('They met in the hall.').rule == 'nothing stated'
    assert read_ranking('They met in the hall.', 3).rule == 'nothing stated'


ABSTENTIONS = [
    'I do not know', "I don't know", 'I did not know', "We don't know the answer", 'Do not know',
    'I do not know the answer to this question', "I'm not sure", 'I am unsure', 'We are uncertain', 'Not sure',
    'Unknown', 'Unanswerable', 'Uncertain', 'Unclear', 'Undetermined', 'Indeterminate', 'None', 'Nothing', 'No answer',
    'There is no answer', "There's no answer given", 'No answer found in the context', 'No answer to that',
    'Not in the context', 'Not contained in this text', 'Not part of the given passages',
    'Not explicitly named in the documents', 'No information', 'No information given', 'N/A', 'NA', 'Not available',
    'Not applicable', 'Not given', 'Not stated in the text', 'Not mentioned', 'Not provided by the context',
    'Not specified', 'Not found', 'Not answerable from the passage', 'Not known', 'Not clear', 'Not enough information',
    'Not sufficient information', 'Insufficient information', 'Insufficient context', 'Insufficient data',
    'Insufficient evidence', 'It cannot be determined', 'This can not be answered', "The answer can't be known",
    'Cannot be inferred from the snippets', 'It could not be found', "It couldn't be said", 'Cannot be established',
    'There is not enough context', 'There is no information in the text', 'I cannot answer the question',
    "I can't determine it", 'We can not find it', 'I am unable to tell', 'I could not say', "I couldn't provide one",
    'I cannot help with that', 'I cannot give one', 'I cannot infer it', 'I cannot identify them', 'Sorry',
    "I'm so sorry, but the snippets end here", 'Unable to determine', 'Unable to answer from this',
    'Unable to find it', 'Unable to tell', 'Unable to say', 'The context does not say', "The text doesn't mention it",
    'The passages do not contain the answer', "The documents don't provide it", 'The snippets do not specify it',
    'The context does not state it', 'The context does not give it', 'The context does not include it',
    'The context does not answer it', 'The context does not tell', '不知道', '我不清楚', '不确定', '抱歉,没有看到',
    '对不起', '我无法确定', '无法回答这个问题', '无法判断', '无法得知', '无法给出', '信息不足', '资料不足',
    '条件不足,不能回答',
    '未知', '没有答案', '无答案', '未提及', '文中没有提到', '上下文未提及', '没有说明这一点',
]  # fmt: skip


@pytest.mark.parametrize('reply', ABSTENTIONS)
def test_an_abstention_is_no_short_answer(reply: str) -> None:
    for written in (reply, f'{reply}.', reply.lower(), f'<answer>{reply}</answer>', f'It is late.\n{reply}.'):
        assert read_short_text(written).rule == 'refused', written
    assert read_short_text(reply, golds=['Rome', reply.upper()]).answer == reply


NO_ABSTENTIONS = [
    'The Unknown Soldier', 'Unclear Waters', 'Nothing Else Matters', 'None but the Brave',
    'Not Fade Away', 'NASA', 'No Country for Old Men', 'Context', 'Sure', 'Know', 'The Uncertain Hour',
]  # fmt: skip


@pytest.mark.parametrize('reply', NO_ABSTENTIONS)
def test_a_title_that_begins_like_an_abstention_is_an_answer(reply: str) -> None:
    assert text(reply) == reply
    assert text(f'<answer>{reply}</answer>') == reply
