"""Letters of options: where they are stated, what they stand for, and which words they are otherwise."""

import pytest
from evalscope_qa.reading import Prompt, read_letter, read_verdict

TEXTS = ['the liver', 'the pancreas', '0.5', 'Paris', 'the spleen', 'Paris', 'all of these', 'the lung', 'four', 'none']


@pytest.mark.parametrize(
    ('reply', 'answer'),
    [
        # words that are letters in running text
        ('A study showed it.', None), ('The answer is A study.', None), ('I think so.', None),
        ('I would say so.', None),
        ('The answer is I think so.', None), ('A', 'A'), ('I', 'I'), ('A.', 'A'), ('I)', 'I'), ('Answer: I', 'I'),
        ('Answer: A', 'A'), ('The answer is A because it is so.', 'A'), ('The answer is I, as shown.', 'I'),
        ('A: Let us see.', None), ('I, for one, agree.', None), ('Vitamin B is it.', None),
        ('Hepatitis C was seen.', None), ('In conclusion, E. coli grew.', None), ('So, B. subtilis grew.', None),
        ('The answer is B-cells.', None), ("The answer is B's.", None), ('Both B and C cells', None),
        # the one letter in sight is no answer
        ('It says A in the text.', None), ('Option B mentions a liver.', None), ('B and C are close.', None),
        ('Consider B first.', None), ('The wrong one is B.', None), ('B is a distractor.', None),
        ('B is incorrect. C is wrong too.', None), ('Not B.', None), ('B?', None),
        # the options one by one, before the answer
        ('Option A (lime): wrong.\nOption B (chalk): right.\nOption C (slate): wrong.\nANSWER: B', 'B'),
        ('Option B\n\nOption A is wrong.', 'B'), ('| Option | Verdict |\n| A | no |\n| B | yes |\nANSWER: B', 'B'),
        ('Let us see each option:\nA) lime - no\nB) chalk - yes\nANSWER: B', 'B'),
        ('A: lime\nB: chalk\nC: slate\nANSWER: B', 'B'),
        ('【答案】B', 'B'), ('【正确答案】：B', 'B'), ('B是正确答案。', 'B'), ('A是正确的，C也是正确的。', None),
        ('选项：\nA) 一\nB) 二\n答案：B', 'B'), ('现在看选项：\nA) 一。不对。\n因此，答案：B', 'B'),
        ('正确选项：\nB', 'B'), ('选项：B', 'B'), ('选项：\nA) 一\nB) 二', None),
        ('A is not correct. B is correct.', 'B'), ('It is not that B is correct.', None),
        # lower case where it is marked
        ('answer: c', 'C'), ('<answer>c</answer>', 'C'), ('\\boxed{c}', 'C'), ('{"answer": "c"}', 'C'), ('c', 'C'),
        ('option: (c)', 'C'), ('It is a c there', None), ('a dose was given', None),
        # lists
        ('A, C', None), ('The answer is A or C.', None), ('The answer is A and C.', None), ('A/B', None),
        ('A\nB', None), ('A: small. B: large. C: none.', None), ('- A: small\n- B: large', None),
        ('Answer: A, B, C, D, E, F, G, H, I, J', None), ('The answer is B. The answer is C.', None),
        ('The answer is B. Wait, the answer is C.', 'C'), ('A is wrong. B is wrong. The answer is C.', 'C'),
        # parts
        ('(a) The answer is E. (b) The answer is J.', None), ('(a) The answer is E. (b) So the answer is J.', None),
        ('(a) The answer is E. (b) The answer is J. Overall, the answer is E.', 'E'),
        ('Part 1: the answer is E. Part 2: the answer is J.', None),
        ('(a) It is so. (b) It is not. The answer is E.', 'E'),
        # probabilities and ticks
        ('[ ] A\n[x] B\n[ ] C', 'B'), ('( ) A\n(x) B', 'B'), ('☐ A\n☑ B', 'B'), ('A: false\nB: true\nC: false', 'B'),
        ('A: true\nB: true\nC: false', None), ('- [x] A\n- [x] B', None),
        # no option
        ('The answer is K.', None), ('K', None), ('Answer: Z', None), ('\\boxed{12}', None),
        # Chinese
        ('选B', 'B'), ('应选C。', 'C'), ('答案是D', 'D'), ('正确答案为E。', 'E'), ('不选B', None), ('答案不是B', None),
        ('因此选F，因为如此', 'F'),
    ],
)  # fmt: skip
def test_the_letter_of_a_reply(reply: str, answer: str | None) -> None:
    assert read_letter(reply, 10).answer == answer


@pytest.mark.parametrize(
    ('reply', 'answer', 'rule'),
    [
        ('The answer is the pancreas.', 'B', 'said: text'), ('the spleen', 'E', 'said: text'),
        ('The arms were alike.\nThe spleen.', 'E', 'said: text'), ('\\boxed{0.5}', 'C', 'marked: \\boxed'),
        ('<answer>the liver</answer>', 'A', 'marked: <answer>'), ('{"answer": "The Lung"}', 'H', 'marked: key'),
        ('The answer is Paris.', None, 'nothing stated'), ('Answer: the liver, or so', None, 'nothing stated'),
        ('The answer is the liver.\nThe answer is the lung.', None, 'several'),
        ('\\boxed{0.7}', None, 'nothing stated'),
        ('The answer is the liver. It is B.', 'B', 'said'), ('the heart', None, 'nothing stated'),
        ('The answer is B, the pancreas.', 'B', 'said'), ('B) the pancreas', 'B', 'standing'),
        ('B. The pancreas, which makes insulin.', 'B', 'standing'), ('They met.\n\nH) the lung', 'H', 'standing'),
        ('(E) the spleen\n\nIt is known.', 'E', 'standing'), ('**C) 0.5**', 'C', 'standing'),
        ('A) the lung', None, 'nothing stated'),
        ('B) the pancreas is wrong.', None, 'nothing stated'), ('Is it (B) the pancreas?', None, 'nothing stated'),
        ('正确答案是the lung', 'H', 'said: text'),
    ],
)  # fmt: skip
def test_the_text_of_exactly_one_option_is_its_letter(reply: str, answer: str | None, rule: str) -> None:
    reading = read_letter(reply, 10, texts=TEXTS)
    assert (reading.answer, reading.rule) == (answer, rule)
    if rule == 'said: text':
        assert read_letter(reply, 10).answer is None


@pytest.mark.parametrize('count', [1, 2, 4, 26])
def test_a_letter_beyond_the_options_is_none(count: int) -> None:
    last = chr(64 + count)
    assert read_letter(f'The answer is {last}.', count).answer == last
    if count < 26:
        assert read_letter(f'The answer is {chr(65 + count)}.', count).answer is None


@pytest.mark.parametrize('count', [0, 126, -1])
def test_there_are_1_to_125_options(count: int) -> None:
    with pytest.raises(ValueError, match='1 to 125'):
        read_letter('A', count)


LETTERED = Prompt('x', '{question}\nA) yes\nB) no\nC) maybe')


@pytest.mark.parametrize(
    ('reply', 'prompt', 'verdict'),
    [
        # a letter means its label where it is lettered: in the prompt, or in the reply
        ('B', LETTERED, 'NO'), ('The answer is (C).', LETTERED, 'MAYBE'), ('B', '', None),
        ('The answer is (C).', '', None),
        ('A) yes\nB) no\nC) maybe\n\nThe answer is B.', '', 'NO'), ('B. no', '', 'NO'),
        ('{"answer": "A. yes"}', '', 'YES'),
        ('The options are 1. Yes, 2. No and 3. Maybe. The answer is 2.', '', 'NO'),
        # a contradiction is the letter where letters were asked for, else the label
        ('B) yes', LETTERED, 'NO'), ('B) yes', '', 'YES'), ('Answer: C, no', LETTERED, 'MAYBE'),
        # any order, numbers
        ('A', Prompt('x', 'A. no B. yes'), 'NO'), ('2', Prompt('x', '1. Yes\n2. No\n3. Maybe'), 'NO'),
        ('D', LETTERED, None), ('yes', LETTERED, 'YES'), ('A or B', LETTERED, None), ('A study.', LETTERED, None),
        # one letter for two labels, or two for one, letters nothing
        ('A', Prompt('x', 'A) yes\nA) no'), None), ('A', Prompt('x', 'A) yes\nB) yes'), None),
    ],
)  # fmt: skip
def test_letters_for_labels(reply: str, prompt: Prompt | str, verdict: str | None) -> None:
    assert read_verdict(reply, prompt).answer == verdict
