"""What official scripts do themselves, and what evalscope documents: findings of it are marked, and not excused.

Each row of OFFICIAL was read in the source that it names, at that commit; each of DOCUMENTED quotes the description
that evalscope has of the benchmark, and counts only where the installed one says so.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .results import Behaviour


def _same(reply: str, gold: str) -> bool:
    """The default: every reply that the function credits, the official script credits too."""
    return True


def _pope_says_so(reply: str, gold: str) -> bool:
    words = reply.partition('.')[0].replace(',', '').split(' ')
    return ('NO' if {'No', 'no', 'not'} & {*words} else 'YES') == gold


def _halueval_says_so(reply: str, gold: str) -> bool:
    return ('Yes' in reply, 'No' in reply) == (gold == 'YES', gold == 'NO')


def _air_bench_says_so(reply: str, gold: str) -> bool:
    places = [character for character in (reply[:1], reply[-2:-1]) if character and character in 'ABCD']
    return places[:1] == gold.split()[:1]


def _is_not_empty(reply: str, gold: str) -> bool:
    return reply != ''


@dataclass(frozen=True)
class _Row:
    """Behaviour of one function in one benchmark."""

    benchmark: str
    function: str
    """How the dotted name of the function ends."""
    rules: tuple[str, ...]

    def is_of(self, benchmark: str, rule: str, cause: str) -> bool:
        """Whether a case is of the benchmark, of one of the rules and of the function."""
        return self.benchmark == benchmark and rule in self.rules and cause.endswith(f'.{self.function}')


@dataclass(frozen=True)
class Official(_Row):
    """Behaviour of one function in one benchmark, with where its authors do the same."""

    behaviour: str
    """What the official script does, in a sentence."""
    source: str
    """Address of the file, without the scheme."""
    same: Callable[[str, str], bool] = _same
    """Whether the official script credits a reply, too, that evalscope credits for a gold."""


@dataclass(frozen=True)
class Documented(_Row):
    """Behaviour of one function in one benchmark, with what evalscope says of it."""

    sentence: str
    """What the description says, word for word but for line breaks."""


_NON_ANSWERS = ('non-answer', 'cut-off-reasoning')

OFFICIAL = (
    Official(
        'ocr_bench',
        'OCRBenchAdapter.match_score',
        _NON_ANSWERS,
        'A reply is right if it contains the answer.',
        'github.com/Yuliang-Liu/MultimodalOCR/blob/f5cbec66817b643f732f11cdc7b3a550963b70dc/OCRBench/example.py',
    ),
    Official(
        'ocr_bench_v2',
        'vqa_metric.vqa_evaluation',
        _NON_ANSWERS,
        'A reply is right if it contains an answer of fewer than five words ("on" in "Don\'t know.").',
        'github.com/Yuliang-Liu/MultimodalOCR/blob/161c6dfbea88c52075566c3bd1846169341b4683/'
        'OCRBench_v2/eval_scripts/vqa_metric.py',
    ),
    Official(
        'eq_bench',
        'EQBenchAdapter.match_score',
        ('abstention-counts', 'no-crash'),
        'The score is the mean over the replies that could be parsed; with too few of them the whole run counts as '
        'failed (fewer than 50 of the 60 of version 1: lib/run_bench.py at 14bc48b), which evalscope does not check.',
        'github.com/EQ-bench/EQ-Bench/blob/0114d236956739ee0fdb1c737d543270690cc4cc/lib/scoring.py',
    ),
    Official(
        'halueval',
        'yes_no.extract_verdict',
        _NON_ANSWERS,
        'A reply that contains "No" and not "Yes" says No, wherever it stands: "No answer." does.',
        'github.com/RUCAIBox/HaluEval/blob/c0432f63afbec3a68f12e67d9722e9b252fd9186/evaluation/evaluate.py',
        _halueval_says_so,
    ),
    Official(
        'pope',
        'yes_no.extract_verdict',
        _NON_ANSWERS,
        'A first sentence with the word "No", "no" or "not" says no, any other reply says yes, silence too: "No '
        'answer." is no.',
        'github.com/AoiDragon/POPE/blob/f3ec604337f1d1c9723ef8d01b4accacf8badb3d/evaluate.py',
        _pope_says_so,
    ),
    Official(
        'super_gpqa',
        'utils.extract_option_labels',
        _NON_ANSWERS,
        'The same patterns, without regard to case: "I" at the beginning is option I. (Its searches end after five '
        'seconds; those of evalscope do not.)',
        'github.com/SuperGPQA/SuperGPQA/blob/fdf035d4db086ae7b9767d5d425645ba3dbd1232/eval/eval.py',
    ),
    Official(
        'cmmmu',
        'utils.get_multi_choice_prediction',
        _NON_ANSWERS,
        'Any capital letter of an option counts, in any word; where there is none, an option is drawn at random, with '
        'a fixed seed. Only an empty reply earns nothing.',
        'github.com/CMMMU-Benchmark/CMMMU/blob/e1ba883284c61e5f6bbf552addb87f6e48de87bc/eval/utils/eval_utils.py',
        _is_not_empty,
    ),
    Official(
        'tir_bench',
        'utils.judge_choice',
        _NON_ANSWERS,
        'Where no letter was extracted, the first letter that the prompt has right before the extracted text is taken. '
        'Every letter stands before an empty text, so nothing extracted is A. (GPT-4.1 extracts there, evalscope with '
        'patterns.)',
        'github.com/agents-x-project/TIR-Bench/blob/2e5dfaa34c4f959c53c0cfeac25af08f14960eea/tools.py',
    ),
    Official(
        'tir_bench',
        'utils.get_most_similar',
        _NON_ANSWERS,
        'Where no letter was extracted, the letter with the least edit distance to the text is taken, so some letter '
        'always is. (GPT-4.1 extracts there, evalscope with patterns.)',
        'github.com/agents-x-project/TIR-Bench/blob/2e5dfaa34c4f959c53c0cfeac25af08f14960eea/tools.py',
    ),
    Official(
        'safety_bench',
        'utils.extract_choice',
        _NON_ANSWERS,
        'The first letter in a certain place of the first line counts, then an option that the line contains; where '
        'there is none, an option is drawn at random, which evalscope leaves out.',
        'github.com/thu-coai/SafetyBench/blob/4629545e06f39576beae60faa6f952db8de97bc0/code/evaluate_baichuan.py',
    ),
    Official(
        'phyx_mc',
        'utils.extract_mc_answer',
        _NON_ANSWERS,
        'The first capital A to D after "correct", "answer" or "option" is the answer, however far away, else the last '
        'letter before a colon.',
        'github.com/NastyMarcus/PhyX/blob/81c16cb3c305698134f3f27c3fb37598b295ebeb/vlmeval/dataset/utils/phyx.py',
    ),
    Official(
        'phyx_mc',
        'utils.match_mc_answer',
        _NON_ANSWERS,
        'A reply that contains the letter and a colon is right, whatever was extracted.',
        'github.com/NastyMarcus/PhyX/blob/81c16cb3c305698134f3f27c3fb37598b295ebeb/vlmeval/dataset/utils/phyx.py',
    ),
    Official(
        'phyx_oe',
        'utils.match_oe_answer',
        _NON_ANSWERS,
        'A reply that contains the gold is right.',
        'github.com/NastyMarcus/PhyX/blob/81c16cb3c305698134f3f27c3fb37598b295ebeb/vlmeval/dataset/utils/phyx.py',
    ),
    Official(
        'vtcbench',
        'vtcbench_adapter._calculate_metrics',
        _NON_ANSWERS,
        'The score is the share of the answers that the reply contains, after closed <think> blocks are cut out.',
        'github.com/Moenupa/VTCBench/blob/3fe73987d52260570f52d68c2903738c6247e873/src/locoxim/metric.py',
    ),
    Official(
        'vqav2',
        'vqav2_adapter._vqa_soft_accuracy',
        ('several-golds',),
        'An answer earns a third for each other annotator who gave it, so full credit takes three of the ten.',
        'github.com/GT-Vision-Lab/VQA/blob/07aecec5a25de425d107f092906d6fee49513a43/'
        'PythonEvaluationTools/vqaEvaluation/vqaEval.py',
    ),
    Official(
        'air_bench_foundation',
        'AIRBenchFoundationAdapter.extract_answer',
        _NON_ANSWERS,
        'The first character is the answer where it is A, B, C or D ("Don\'t know." is D), else the last but one '
        '("It is not D."). Any other reply is left out of the average there, unless GPT has turned it into an option '
        'before, an optional step.',
        'github.com/OFA-Sys/AIR-Bench/blob/d5c1bdfd2f103dcfcad4b84fe1919c66a5fbe64f/score_foundation.py',
        _air_bench_says_so,
    ),
    Official(
        'locomo',
        'utils._token_f1',
        ('non-answer',),
        'The score is the F1 of the words that reply and gold share, so a sentence with a gold of several words in it '
        'earns a part, whatever it says.',
        'github.com/snap-research/locomo/blob/92286325a40764bee61f77824ddb95233b11c4d6/task_eval/evaluation.py',
    ),
    Official(
        'vlms_are_biased',
        'utils.score_answer',
        _NON_ANSWERS,
        'Where the whole reply is not the gold, all digits in it, put together, are held against those of the gold. '
        '(The source is lmms-eval, whose scoring evalscope calls the official one.)',
        'github.com/EvolvingLMMs-Lab/lmms-eval/blob/ca3c1a1ec5b3b1274d5dc2618013bc46771bc6b6/'
        'lmms_eval/tasks/vlms_are_biased/utils.py',
    ),
    Official(
        'visfactor',
        'utils.normalize_prediction',
        _NON_ANSWERS,
        'Where a reply holds no JSON object with an answer, its last capital letter is the answer in the one test that '
        'asks for a letter ("Don\'t know." is D), and its last number in those that ask for one. (The source is '
        'VLMEvalKit, whose scoring evalscope calls the official one.)',
        'github.com/open-compass/VLMEvalKit/blob/16058faba0d842932068ca2ef9691918df0dbd98/vlmeval/dataset/visfactor.py',
    ),
    Official(
        'drop',
        'DROPAdapter.match_score',
        ('degenerate-gold',),
        'Articles are dropped from both texts, and two that become empty match.',
        'github.com/allenai/allennlp-models/blob/866e590287bed3d1c815c3187a52ecba1721765a/allennlp_models/rc/tools/drop.py',
    ),
)


DOCUMENTED = (
    Documented(
        'coin_flip',
        'CoinFlipAdapter.aggregate_scores',
        ('abstention-counts',),
        'Only accuracy divides by the full sample count; an answer that is not exactly YES/NO is excluded from '
        'precision, recall and F1, so those three read high when answers are badly formatted',
    ),
    Documented(
        'count_qa',
        'count_qa_adapter.parse_count',
        ('cut-off-reasoning',),
        'a model that narrates its count ("row 1 has 3 ...") is scored on the first number it mentions rather than on '
        'its stated total',
    ),
    Documented(
        'logic_vista',
        'multi_choices._fallback_parse_answer',
        ('cut-off-reasoning',),
        'when a reply is truncated before its `ANSWER:` line, the label is recovered from the last capital letter of '
        'the reply, which is a lenient guess',
    ),
    Documented(
        'medxpertqa',
        'multi_choices._fallback_parse_answer',
        ('cut-off-reasoning',),
        "truncated reasoning may otherwise fall back to the shared parser's last valid uppercase letter",
    ),
    Documented(
        'pmc_vqa',
        'multi_choices._fallback_parse_answer',
        _NON_ANSWERS,
        'when no `ANSWER:` line is present, the shared multiple-choice parser falls back to the last upper-case letter '
        'in the reply, so a truncated response may be scored as a lenient guess',
    ),
)


def official(benchmark: str, rule: str, cause: str, reply: str | None, gold: str, description: str) -> Behaviour | None:
    """Return what explains a case; None where no official script is known to do the same, and evalscope says nothing.

    Args:
        benchmark: The benchmark.
        rule: The rule that it breaks.
        cause: Dotted name of the function.
        reply: The reply; None for ten replies.
        gold: The gold answer.
        description: evalscope's description of the benchmark.
    """
    for row in OFFICIAL:
        if row.is_of(benchmark, rule, cause) and (reply is None or row.same(reply, gold)):
            return Behaviour(row.behaviour, row.source)
    said = ' '.join(description.split())
    for known in DOCUMENTED:
        if known.is_of(benchmark, rule, cause) and known.sentence in said:
            return Behaviour(known.sentence)
    return None
