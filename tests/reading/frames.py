"""Frames around a label: ``{}`` stands for it. A reading that depends on the label put there is no reading."""

STATING = [
    # named
    'Answer: {}', 'ANSWER: {}', 'Answer:\n{}', '**Answer**:\n\n{}', '**Final Answer: {}**', '**Final answer:** {}',
    '### Final Answer\n{}', '### Answer\n\n**{}**', 'Answer - {}', 'Answer — {}', 'Answer = {}', 'Answer -> {}',
    'Verdict — {}', '**Decision** — {}', 'My verdict: {}', 'Final Decision Field: {}', 'Prediction: {}', 'Label: {}',
    'Choice: {}', 'Correct answer: {}', 'Final answer ({}).', 'Answer to the question: {}', '| Answer | {} |',
    '| Field | Value |\n|---|---|\n| Verdict | {} |', 'Answer: {} (the effect was small)',
    'Answer: {}\nConfidence: high',
    'Answer: {}. The effect was small.', '1. **Answer:** {}\n2. **Reason:** the effect was small', 'Response: {}',
    'Question: Was it safe?\nAnswer: {}\n\nQuestion: Was it cheap?\nAnswer: unknown', 'Based on the abstract: {}',
    '答案：{}', '最终答案：{}', '结论：{}', 'The table says so. Final answer: {}', 'Final Answer: \\boxed{{}}',
    # said
    'The answer is {}.', 'The final answer is {}.', 'The correct option is {}.', 'The best choice would be {}.',
    'The correct choice must be {}.', 'The most likely answer is {}.', 'The answer should be {}.',
    'The answer is clearly {}.', 'The answer is most likely {}.', 'The answer is probably "{}".', 'The verdict is {}',
    'The answer to the question is {}.', 'The answer, based on the abstract, is {}.', 'The answer is: **{}**',
    'The answer is $\\boxed{{}}$.', 'I think the answer is {}.', 'It appears that the answer is {}.',
    'We conclude that the answer is {}.', 'So the answer is {}.',
    'Thus, the answer is {}, because the arms were alike.',
    'I would go with {}.', "I'd say {}.", 'I choose {}.', 'I select {}.', 'I pick {}.', 'I lean towards {}.',
    'I am leaning towards {}.', 'I would answer this question with {}.', 'In conclusion, {}.', 'In summary, {}.',
    'Overall, {}.', 'So, {}.', 'Thus: {}', 'To answer the question, {}.', 'Given the data, {}.',
    'Considering both, {}.',
    'The evidence supports {}.', 'The data favour {}.', 'The abstract points to {}.', '{} is the correct answer.',
    '{} is correct.', '正确答案为{}。', '答案是{}。', '因此，答案是 {}。', '所以选{}。', '应选{}',
    'It is a qualified {}.', 'This is a clear {}.', 'The answer is not obvious, but the most likely answer is {}.',
    # standing
    '{}', '{}.', '{}!', '  {}  ', '{}\n', '**{}**', '__{}__', '*{}*', '_{}_', '# {}', '`{}`', '"{}"', "'{}'", '“{}”',
    '({})', '[{}]', '> **{}**', '- {}', '{} - the effect was small.', '{} (the effect was small)', '{} (p = 0.3)',
    '{}; the effect was small.', '{}, because the effect was small.', '{} because the effect was small.',
    '{} — the arms were alike.', '{}\n\nExplanation: the first arm improved and the second did not.',
    'The trial failed.\n\n{}', 'The trial failed.\n**{}**', 'The trial failed.\n- {}', '<b>{}</b>', '&quot;{}&quot;',
    '```\n{}\n```', '{}<|im_end|>', '{}</s>', '<think>It could be yes or B.</think>{}', '\\text{{}}', '{}\n\n---',
    '```text\n{}\n```', 'The trial failed.<br>{}', 'The trial failed.\n{}</answ', 'The answer is \\( {} \\).',
    '应选择{}', '故选{}。', "The answer is '{}, they say'.", 'The answer  is   {}.', '| Answer |\n|---|\n| {} |',
    # marked
    '<answer>{}</answer>', '<answer>{}', '<answer>\n{}\n</answer>', '<ANSWER>{}</ANSWER>', '<answer>{}</ans',
    '<final_answer>{}</final_answer>', '<ans>{}</ans>', '<solution>{}</solution>', '\\boxed{{}}',
    '$\\boxed{\\text{{}}}$',
    '\\fbox{{}}', '{"answer": "{}"}', '{"reason": "the arms", "final_answer": "{}"}', "{'verdict': '{}'}",
    '```json\n{"answer_choice": "{}"}\n```', '{"Answer": "{}"', 'answer: {}\nreason: because', '- [x] {}', '☑ {}',
    'The answer is B or yes.\n<answer>{}</answer>', 'Yes. No. A. B.\n\\boxed{{}}', '{"answer": {"value": "{}"}}',
    '{"answer": ["{}"]}',
]  # fmt: skip

SILENT = [
    'Is it {}?', '{}?', 'The answer is not {}.', 'The answer could be {}.', 'It may be {}.', "The answer isn't {}.",
    'If the dose was right, the answer is {}.', 'The answer would be {} if the dose was right.', '{} if significant.',
    '{} is incorrect.', '{} is wrong.', '{} is not supported.', 'I cannot say {}.', '{} is too strong.',
    "I don't think the answer is {}.", 'It is unclear whether the answer is {}.', 'The wrong answer is {}.',
    'Arguments for {}: a small effect', '<think>The answer is {}', '<think>The answer is {}</think>',
    'either {} or something else', '~~{}~~', '<del>{}</del>', '[ ] {}', '☐ {}', 'neither {} nor anything else',
    '{} would need a larger trial.', '{} would be right had the dose been higher.', 'The answer is never {}.',
    'The reviewers asked about {} in passing.', 'Suppose the answer is {}.', 'The opposite answer would be {}.',
    'They wrote "{}" and left.', 'One cannot conclude {}.',
    'analysisThe answer is {}', 'The typical answer is {}.',
]  # fmt: skip
"""A frame that names its label and states nothing."""

WORDS = [case(word) for word in ('yes', 'no', 'maybe') for case in (str.lower, str.upper, str.capitalize)]
LETTERS = list('ABCDEFGHIJ')
