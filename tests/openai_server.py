"""A small OpenAI-compatible chat server on 127.0.0.1 that answers from a function, for end-to-end tests."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

Messages = list[dict[str, Any]]


class Server:
    """A running server.

    Attributes:
        url: The API base to pass as ``--api-url``.
        requests: The body of every chat request, in order of arrival.
    """

    def __init__(self, answer: Callable[[Messages], str], accept_parts: bool) -> None:
        self.requests: list[dict[str, Any]] = []
        self._answer = answer
        self._accept_parts = accept_parts
        self._http = ThreadingHTTPServer(('127.0.0.1', 0), self._handler())
        self.url = f'http://127.0.0.1:{self._http.server_address[1]}/v1'
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={'poll_interval': 0.01}, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return HTTP status and response of one chat request."""
        self.requests.append(body)
        plain = all(isinstance(message['content'], str) for message in body['messages'])
        if not plain and not self._accept_parts:
            return 400, {'error': {'message': 'content must be a plain string', 'type': 'invalid_request_error'}}
        text = self._answer(body['messages'])
        message = {'role': 'assistant', 'content': text}
        return 200, {
            'id': 'canned',
            'object': 'chat.completion',
            'created': 0,
            'model': body['model'],
            'choices': [{'index': 0, 'message': message, 'finish_reason': 'stop'}],
            'usage': {'prompt_tokens': 1, 'completion_tokens': 1, 'total_tokens': 2},
        }

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                status, response = server.reply(body)
                payload = json.dumps(response).encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *args: Any) -> None:
                """Keep the test output quiet."""

            def address_string(self) -> str:
                return self.client_address[0]

        return Handler


@contextmanager
def serve(answer: Callable[[Messages], str], accept_parts: bool = False) -> Iterator[Server]:
    """Run a server for the length of a ``with`` block.

    Args:
        answer: Gives the reply to a request's messages; may be called from several threads at once.
        accept_parts: Also accept content that is a list of parts, as evalscope's built-in PubMedQA sends it.
    """
    server = Server(answer, accept_parts)
    server.start()
    try:
        yield server
    finally:
        server.stop()
