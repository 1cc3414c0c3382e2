"""Faults of evalscope 1.14.1 that are seen by reading its source, a benchmark and a function each.

What is listed is what a reader sees: which parser a benchmark's adapter calls, and what that does with a reply that
answers nothing. The audit may find more in each. ``measure.py --report`` says how many of these it finds.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownFault:
    """A fault of one benchmark."""

    benchmark: str
    rule: str
    function: str
    """The function to mend; empty where several have a part in it."""


def _names(text: str) -> list[str]:
    return text.split()


_LAST_CAPITAL = _names("""
a_okvqa agieval ai2d anli arc arc_indic arxivrollbench arxivrollbench_full banking77 bhasha_bench_multi_ayur
bhasha_bench_multi_finance bhasha_bench_multi_krishi bhasha_bench_multi_legal bhashabenchv1_ayur
bhashabenchv1_finance bhashabenchv1_krishi bhashabenchv1_legal biomix_qa blink boolq cc_bench ceval cmmlu cmmu
commonsense_qa contract_nli drivel_multilabel drivel_selection emb_spatial_bench erqa general_mcq general_vmcq
gpqa_diamond hellaswag hellaswag_hi indic_boolq indic_param iquiz kina logi_qa logic_vista longbench_v2 math_qa
math_vision math_vista med_mcqa medxpertqa micro_vqa milu mm_bench mm_star mmlu mmlu_pro mmlu_redux mmmlu mmmu
mmmu_pro mri_mcqa music_trivia musr mvbench omni_bench piqa pmc_vqa qasc race reward_bench sanskriti science_qa sciq
seed_bench_2_plus siqa triviaqa_indic truthful_qa tvbench videomme_v2 visulogic vstar_bench winogrande
""")
"""Their adapters read options by ``parse_answers`` or ``parse_answers_zh``, which take the last capital letter of a
reply that has no label such as ``ANSWER:`` for the answer."""

_NO_ANSWER_IS_NO = _names('coin_flip drivel_binary hallusion_bench halueval pope')
"""They read yes and no as whole words: ``No answer.`` is no."""

_LOST_BY_A_LOOP = _names("""
agieval aime24 aime25 aime26 amc cmath competition_math docmath gsm8k gsm8k_indic gsm8k_v hmmt25 hmmt26 hmmt_nov25
imo_answerbench math_500 math_verse math_vision math_vista mgsm minerva_math olympiad_bench poly_math
""")
"""They score mathematics by ``extract_answer`` of ``metrics.math.parser``, in a child process with a deadline; past it,
the question has no score and leaves the average."""

_OCR_BENCH = 'evalscope.benchmarks.ocr_bench.ocr_bench.ocr_bench_adapter.OCRBenchAdapter.match_score'
_COIN_FLIP = 'evalscope.benchmarks.coin_flip.coin_flip_adapter.CoinFlipAdapter.aggregate_scores'
_OTHERS = (
    # 'No answer.' is no, as above, by a function of its own.
    KnownFault('pubmedqa', 'non-answer', 'evalscope.benchmarks.pumed_qa.pubmed_qa_adapter.extract_verdict'),
    # 'I cannot answer this question.' is option I.
    KnownFault('super_gpqa', 'non-answer', 'evalscope.benchmarks.super_gpqa.utils.extract_option_labels'),
    # A reply without a letter is a random option.
    KnownFault('cmmmu', 'repeatable', 'evalscope.benchmarks.cmmmu.utils.get_multi_choice_prediction'),
    # A reply that is no letter is the letter nearest to it: silence is A.
    KnownFault('tir_bench', 'non-answer', 'evalscope.benchmarks.tir_bench.utils.judge_choice'),
    # 'no' is in 'I cannot answer' and in "Don't know.".
    KnownFault(
        'ocr_bench',
        'non-answer',
        'evalscope.benchmarks.ocr_bench.ocr_bench.ocr_bench_adapter.OCRBenchAdapter.match_score',
    ),
    # In one of its categories the last capital letter of the reply is the answer.
    KnownFault('visfactor', 'non-answer', 'evalscope.benchmarks.visfactor.utils.normalize_prediction'),
    # Recall is a quotient of what was answered.
    KnownFault('coin_flip', 'abstention-counts', _COIN_FLIP),
    # A reply that cannot be read is left out, as its authors do.
    KnownFault('eq_bench', 'abstention-counts', ''),
)

KNOWN_FAULTS = (
    *(KnownFault(name, 'non-answer', 'evalscope.utils.multi_choices._fallback_parse_answer') for name in _LAST_CAPITAL),
    *(KnownFault(name, 'non-answer', 'evalscope.utils.yes_no.extract_verdict') for name in _NO_ANSWER_IS_NO),
    *(KnownFault(name, 'abstention-counts', '') for name in _LOST_BY_A_LOOP),
    *_OTHERS,
)
