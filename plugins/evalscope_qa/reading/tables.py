"""The lists of reading as data: markers, tokens and words. A new one is one line here.

``docs/reading.md`` shows how each list is used; a test goes through every entry.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


REASONING_MARKERS: tuple[tuple[str, str], ...] = (
    # Opening and closing marker, in any case. Markers in angle brackets may have attributes and full-width brackets.
    ('<think>', '</think>'),  # DeepSeek-R1, Qwen3 and most others
    ('<thinking>', '</thinking>'),
    ('<thought>', '</thought>'),
    ('<thoughts>', '</thoughts>'),
    ('<reason>', '</reason>'),
    ('<reasoning>', '</reasoning>'),
    ('<analysis>', '</analysis>'),
    ('<reflection>', '</reflection>'),
    ('<scratchpad>', '</scratchpad>'),
    ('<seed:think>', '</seed:think>'),  # Seed-OSS
    ('[think]', '[/think]'),  # Magistral
    ('◁think▷', '◁/think▷'),  # Kimi
    ('<|thinking|>', '<|/thinking|>'),
    ('<|begin_of_thought|>', '<|end_of_thought|>'),  # Open-Thoughts
    ('<|start_thinking|>', '<|end_thinking|>'),  # Command A
)

STOP_TOKENS: tuple[str, ...] = (
    '<s>',
    '</s>',
    '<pad>',
    '<bos>',
    '<eos>',
    '<eot>',
    '<EOS_TOKEN>',
    '<end_of_turn>',
    '<start_of_turn>model',
    '<|im_end|>',
    '<|im_start|>assistant',
    '<|eot_id|>',
    '<|eom_id|>',
    '<|end_of_text|>',
    '<|endoftext|>',
    '<|end_of_sentence|>',
    '<｜end▁of▁sentence｜>',
    '<|begin_of_text|>',
    '<|start_header_id|>assistant<|end_header_id|>',
    '<|assistant|>',
    '<|begin_of_solution|>',  # opens the part of an Open-Thoughts reply that is no reasoning
    '<|end_of_solution|>',
    '<|start_response|>',
    '<|end_response|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|end|>',
    '<|return|>',
    '[/INST]',
)
"""Tokens of chat templates, in any case, that are no text of the reply."""

TURN_OPENINGS: tuple[str, ...] = (
    # At the start of a line; behind one stands another turn or another question. ':' is also the full-width one.
    'Question:',
    'Q:',
    'Next question:',
    'User:',
    'Human:',
    'Options:',
    '问题:',
    '用户:',
    '患者的问题:',  # of our own prompt, which base models go on with
    '==',
    "Now, let's summarize all the answers",
    "Now, let's总结",
    '总结以上答案',
    '总结所有答案',
)

TURN_TOKENS: tuple[str, ...] = (
    '<|im_start|>user',
    '<|start_header_id|>user<|end_header_id|>',
    '<start_of_turn>user',
    '<|user|>',
    '[INST]',
)
"""Tokens of chat templates, in any case, that open the turn of a user: the same as ``User:`` on a line of its own."""

ANSWER_TAGS: tuple[str, ...] = ('answer', 'final_answer', 'ans', 'solution')
"""``<answer>…</answer>``: a place made for the answer."""

BOXES: tuple[str, ...] = ('boxed', 'fbox', 'Box', 'framebox')
"""LaTeX commands that frame the answer."""

ANSWER_KEYS: tuple[str, ...] = (
    'answer',
    'final_answer',
    'correct_answer',
    'short_answer',
    'answer_choice',
    'answer_letter',
    'choice',
    'final_choice',
    'correct_choice',
    'option',
    'correct_option',
    'selected_option',
    'decision',
    'final_decision',
    'verdict',
    'final_verdict',
    'prediction',
    'label',
    'conclusion',
    'classification',
    'response',
    'result',
    'ranking',
    '答案',
    '最终答案',
    '正确答案',
    '结论',
    '选项',
    '选择',
)
"""Keys of JSON whose value is the answer; blanks, hyphens and capitals make no difference (``finalAnswer``)."""

ANSWER_NAMES = _words(
    """
    answer answers ans option choice verdict conclusion decision response result prediction
    label classification judgment judgement determination assessment selection
    """
)
"""Words that name an answer: in a heading or label, and as what is said to be X."""

CHOSEN_NAMES = _words('options choices statement statements one ones item alternative description sentence')
CHOOSING_ADJECTIVES = _words('correct right best true appropriate accurate suitable closest likely valid')
"""The chosen names name an answer behind one of these adjectives: "the correct statement is X"."""

CHINESE_ANSWER_NAMES: tuple[str, ...] = ('答案', '选项', '选择', '结论', '判断', '回答')

CHINESE_CHOOSING: tuple[str, ...] = ('选', '选择')
"""Verbs behind which the answer stands without 是 or a colon (应选B, 故选B)."""

CHINESE_CHOOSING_ADJECTIVES: tuple[str, ...] = ('正确', '最', '应', '我的', '所选')
"""Before 选项: the one that is chosen. Without them it heads the options, of which one follows on the next line."""

NOT_THE_ANSWER = _words(
    """
    each every wrong incorrect opposite other another alternative distractor naive tempting expected typical common
    popular possible worst least previous earlier first initial original
    """
)
"""Before a name: not the answer that the reply gives ("the opposite answer would be")."""

EXPLANATION_NAMES: tuple[str, ...] = (
    'explanation',
    'explanations',
    'rationale',
    'reason',
    'reasons',
    'reasoning',
    'justification',
    'evidence',
    'note',
    'notes',
    'comment',
    'comments',
    'details',
    'discussion',
    'background',
    'caveat',
    'caveats',
    'confidence',
    '解释',
    '解析',
    '理由',
    '说明',
    '原因',
    '分析',
    '注',
)
"""Headings and labels under which, behind an answer, only a final statement states."""

COPULAS = _words(
    """
    is are was remains becomes equals reads
    """
)
MODALS = _words('would should must will shall')
"""``be`` states behind these; could, may and might state nothing."""
SEEMING = _words(
    """
    appears seems has likely ought needs have appear seem
    """
)
"""``to be`` states behind these."""

HEDGING_ADVERBS = _words(
    """
    clearly definitely simply just probably likely most very strongly tentatively therefore thus indeed actually still
    then almost certainly hence also overall obviously again instead presumably apparently
    """
)
HEDGES = HEDGING_ADVERBS | _words(
    """
    a an the that clear qualified definite definitive simple strong resounding firm tentative cautious as follows now
    here in fact option choice letter answer statement
    """
)
"""Words that may stand between what is said and its label: "the answer is most likely a clear no"."""

BEFORE_OPTION = _words('is be by to with as therefore thus so matches choose select pick ,')
"""Before "option X" at the end of a clause: the option is chosen, not just named."""

SAYING = _words(
    """
    say answer choose select pick conclude respond reply vote pronounce chose answered
    """
)
"""Verbs of "I (would) say X"."""

SAYING_TOWARDS: frozenset[tuple[str, str]] = frozenset(
    (
        ('go', 'with'),
        ('going', 'with'),
        ('went', 'with'),
        ('lean', 'towards'),
        ('lean', 'toward'),
        ('lean', 'to'),
        ('leaning', 'towards'),
        ('leaning', 'toward'),
        ('answer', 'with'),
        ('respond', 'with'),
        ('reply', 'with'),
        ('opt', 'for'),
        ('vote', 'for'),
        ('settle', 'on'),
        ('settle', 'for'),
        ('choose', 'option'),
        ('select', 'option'),
        ('pick', 'option'),
        ('question', 'as'),
        ('question', 'with'),
    )
)
"""The same in two words: "I lean towards X", "I can answer this question as X"."""

EVIDENCE = _words(
    """
    evidence data abstract findings finding results study studies trial text passage context information authors
    everything this
    """
)
SUPPORTING: frozenset[str] = frozenset(
    (
        'favours',
        'favors',
        'favour',
        'favor',
        'supports',
        'support',
        'suggests',
        'suggest',
        'indicates',
        'indicate',
        'points to',
        'point to',
        'points towards',
        'point towards',
        'points toward',
        'point toward',
        'pointing to',
        'leads to',
        'lead to',
    )
)
"""Of "the evidence supports X"."""

INTRODUCTIONS = _words(
    """
    so thus therefore hence consequently accordingly overall conclusion summary short sum brief ultimately
    finally then
    """
)
"""Words directly before X, a comma between them or not: "so X", "in conclusion, X"."""

INTRODUCING_CLAUSES = _words(
    """
    based according given judging considering from in on to after taking taken by
    """
)
"""First word of a clause that ends in a comma before X: "Based on the abstract, X"."""

CORRECTIONS: tuple[str, ...] = (
    'final',
    'finally',
    'ultimately',
    'correct answer',
    'correct option',
    'correct choice',
    'correcting',
    'correction',
    'corrected',
    'correct this',
    'correct that',
    'wait',
    'actually',
    'on reflection',
    'upon reflection',
    'on second thought',
    'reconsider',
    'reconsidering',
    'however',
    'but',
    'instead',
    'rather',
    'therefore',
    'so',
    'thus',
    'hence',
    'consequently',
    'in conclusion',
    'to conclude',
    'in summary',
    'overall',
    'after all',
    'combining',
    'taken together',
    '最终',
    '因此',
    '所以',
    '综上',
    '故',
    '但',
    '然而',
    '不对',
    '更正',
    '应为',
)
"""In the sentence of a later statement, or in the one before: it replaces the earlier ones."""

CORRECTING_ALONE = _words('actually instead rather correction')
"""Behind one of these, and nothing else in its clause but "wait" or "sorry", X is stated: "Wait, actually X"."""

OVERALL: tuple[str, ...] = (
    'final',
    'finally',
    'overall',
    'ultimately',
    'in conclusion',
    'in summary',
    'combining',
    'taken together',
    '最终',
    '综上',
)
"""The corrections that also settle a reply whose parts have answers of their own."""

HYPOTHETICAL = _words(
    """
    whether if unless suppose supposing assuming unclear doubt either neither nor not never cannot don't doesn't
    isn't can't won't couldn't wouldn't didn't shouldn't aren't wasn't eliminate exclude unlike than hardly
    """
)
"""In the clause before a label: it is named, not stated."""

AFTER_NO = _words(
    """
    because since as to for at on under with from given based according due depending if when but and or i we it he
    she they you the this that these those there an so after before by among across is without during regardless unless
    although though while would which their our its his her not then here maybe yes no
    """
) | {r'in(?! (?:vivo|vitro|situ|utero|silico)\b)', r'a(?! (?:priori|posteriori)\b)'}
"""Behind a stated "no" these (patterns) make no phrase with it: any other word does ("no difference")."""

AFTER_MAYBE = _words(
    """
    because since as to for at on under with in from given based according due depending if when but and or is
    not would then here yes no maybe
    """
)
"""The same behind a stated "maybe", which is an adverb before a clause ("maybe the dose")."""

DETERMINERS = _words(
    """
    the this that these those there it they we he she i you its their our his her my your a an both all each
    neither none some
    """
)
"""Words that open a clause: behind a label in capitals they make it a statement ("NO the arms did not differ")."""

AFTER_LETTER_A = _words(
    """
    because since as is or and but for if with would in which from by given then here
    """
)
"""Behind a stated "A" these leave it a letter; before any other word it is an article ("A study")."""

AFTER_LETTER_I = _words(
    """
    because since is or and but for if with which given as then here
    """
)
"""The same behind "I", which is a pronoun before any other word ("I think")."""

PLACEHOLDERS: tuple[str, ...] = (
    'your answer',
    'your answer here',
    'your final answer',
    'your short answer',
    'answer',
    'answer here',
    'the answer',
    'short answer',
    'final answer',
    'letter',
    'text',
    'label',
    '...',
    '…',
    '你的答案',
    '答案',
)
"""What a prompt's form shows in the place of the answer: ``<answer>your answer</answer>`` states nothing."""

REFUSALS: tuple[str, ...] = (
    r"(?:can ?not|can't|could not|couldn't|unable to|not able to|impossible to|not possible to) "
    r'(?:be )?(?:\w+ )?(?:answer|determine|determined|say|tell|decide|provide|give|help|rank|conclude|choose|select)',
    r"(?:don't|do not|does not|doesn't) (?:know|have|provide|contain|mention|say|state|give|specify|include)",
    r'(?:not enough|insufficient|no|lack of|lacks) (?:information|evidence|data|context|details)',
    r'not (?:clear|sure|certain|enough|stated|mentioned|given|provided|specified|answerable)',
    r'\b(?:unknown|unclear|uncertain|undetermined|unanswerable|indeterminate|inconclusive)\b',
    r'\b(?:sorry|apologi[sz]e|as an ai)\b',
    r'no (?:definitive |clear |firm )?(?:answer|conclusion)',
    r'无法|不能确定|不知道|不确定|抱歉|对不起|没有足够|信息不足|难以判断',
)
"""Patterns of a reply that says why it does not answer; they name the reason, they never take an answer away."""

ABSTENTIONS: tuple[str, ...] = (
    r"(?:i |we )?(?:do not|don't|did not|didn't) know(?: the answer(?: to (?:this|that|the) question)?)?",
    r"(?:i'm|i am|we are) (?:not sure|unsure|uncertain)",
    r'not sure',
    r'unknown',
    r'unanswerable',
    r'uncertain',
    r'unclear',
    r'undetermined',
    r'indeterminate',
    r'none',
    r'nothing',
    r'(?:there is |there\'s )?no answer(?: (?:found|given|available|provided))?(?: (?:in|to) .{0,80})?',
    r'not (?:in|contained in|part of|explicitly \w+ in) (?:the |this )?(?:given |provided )?'
    r'(?:context|text|passages?|documents?)',
    r'no information(?: (?:given|available|provided))?',
    r'n/?a',
    r'not (?:available|applicable|given|stated|mentioned|specified|provided|found|answerable|known|clear'
    r'|enough information|sufficient information)'
    r'(?: (?:in|by|from) (?:the )?(?:context|text|passages?|documents?|question))?',
    r'insufficient (?:information|context|data|evidence)',
    r"(?:it |this |the answer |the question )?(?:cannot|can not|can't|could not|couldn't) be "
    r'(?:determined|answered|known|inferred|found|said|established)(?: (?:from|by|with|based on) .{0,60})?',
    r'(?:there is )?(?:not enough|no|insufficient) (?:information|context)(?: .{0,80})?',
    r"(?:i |we )?(?:cannot|can't|can not|am unable to|could not|couldn't) "
    r'(?:answer|determine|find|tell|say|provide|help|give|infer|identify)(?: .{0,100})?',
    r"(?:i'm |i am )?(?:so )?sorry(?:\b.{0,160})?",
    r'unable to (?:determine|answer|find|tell|say)(?: .{0,80})?',
    r"the (?:context|text|passages?|documents?|snippets?) (?:does not|doesn't|do not|don't) "
    r'(?:say|mention|contain|provide|specify|state|give|include|answer|tell)(?: .{0,100})?',
    r'(?:我)?(?:不知道|不清楚|不确定)',
    r'(?:抱歉|对不起).{0,60}',
    r'(?:我)?无法(?:确定|回答|判断|得知|给出).{0,40}',
    r'(?:信息|资料|条件)不足.{0,40}',
    r'未知|没有答案|无答案|未提及|(?:文中|上下文)?(?:没有|未)(?:提到|提及|说明).{0,40}',
)
"""Whole statements, case-folded, that decline to answer a question with a short text."""
