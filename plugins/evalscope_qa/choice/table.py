"""Which benchmarks of evalscope are read strictly, and what each asks for: the one place that knows them by name.

Their names are the entry points of the group ``evalscope.benchmarks.strict`` too, which a test holds to this table.
"""

from dataclasses import dataclass
from typing import Callable, Mapping

from . import questions
from .questions import Asked, Question


@dataclass(frozen=True)
class Row:
    """How the replies to a benchmark are read."""

    asks: Callable[[Question], Asked]
    """What one question asks for."""
    canonical: str = ''
    """A reply of which the installed adapter takes the answer ``{}`` without fail, in the form that its scoring wants;
    empty where that is the letter or the label itself."""
    left_in: str = ''
    """A key of the question's metadata in which the installed extraction leaves the answer for its scoring."""


_CHOICE = (
    'a_okvqa ai2d anli arc arc_indic arxivrollbench arxivrollbench_full banking77 '
    'bhasha_bench_multi_ayur bhasha_bench_multi_finance bhasha_bench_multi_krishi bhasha_bench_multi_legal '
    'bhashabenchv1_ayur bhashabenchv1_finance bhashabenchv1_krishi bhashabenchv1_legal biomix_qa blink boolq '
    'cc_bench ceval cmmlu commonsense_qa contract_nli drivel_selection emb_spatial_bench erqa general_mcq '
    'general_vmcq gpqa_diamond hellaswag hellaswag_hi indic_boolq indic_param iquiz kina logi_qa longbench_v2 '
    'maritime_bench math_qa med_mcqa medxpertqa micro_vqa milu mm_bench mm_star mmau mmlu mmlu_pro mmlu_redux mmmlu '
    'mmmu_pro mri_mcqa music_trivia musr mvbench omni_bench piqa pmc_vqa qasc race reward_bench safety_bench sanskriti '
    'science_qa sciq seed_bench_2_plus siqa super_gpqa triviaqa_indic truthful_qa tvbench videomme_v2 visulogic '
    'vstar_bench winogrande'
)
"""One letter of the sample's options; several where the adapter's ``multiple_correct`` says so."""
_SEVERAL = 'logic_vista'
"""Any number of letters."""
_YES_OR_NO = 'coin_flip drivel_binary hallusion_bench halueval pope'
_SOME_OPEN = 'agieval cmmu math_vision mmmu'
"""Letters where the question has options; other questions are of text or numbers."""

BENCHMARKS: Mapping[str, Row] = {
    **{name: Row(questions.sample_options) for name in _CHOICE.split()},
    **{name: Row(questions.several_letters) for name in _SEVERAL.split()},
    **{name: Row(questions.yes_or_no) for name in _YES_OR_NO.split()},
    **{name: Row(questions.options_or_text) for name in _SOME_OPEN.split()},
    'drivel_multilabel': Row(questions.some_letters),
    'air_bench_foundation': Row(questions.metadata_choices),
    'bbh': Row(questions.prompt_options_or_text),
    'cmmmu': Row(questions.cmmmu, left_in='parsed_pred'),
    'math_verse': Row(questions.prompt_options_or_text),
    'phyx_mc': Row(questions.four_letters),
    'real_world_qa': Row(questions.prompt_options_or_text, 'ANSWER: {}'),
    'tir_bench': Row(questions.tir_bench),
}
