"""Blocks the network in the processes that tests start, as pytest-socket does in the test process itself.

Python imports a module of this name at start when its folder is on PYTHONPATH. EVALSCOPE_QA_TEST_LOOPBACK=1 leaves
127.0.0.1 open.
"""

import os

import network_block

network_block.install(allow_loopback=os.environ.get('EVALSCOPE_QA_TEST_LOOPBACK') == '1')
