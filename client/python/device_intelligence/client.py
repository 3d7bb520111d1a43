"""The synchronous and the asynchronous client. Methods and types are in generated.py."""

from __future__ import annotations

import asyncio
import random
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

import httpx

from .errors import ERROR_CLASSES, ApiError, ConnectionError, UnexpectedResponseError, retry_after_seconds
from .generated import AsyncEndpoints, Endpoints, Operation

VERSION = "0.1.0"

Item = TypeVar("Item")

#: The service rejected these before doing anything.
REJECTED = (429, 503)
#: A gateway did not get a response; the service may have done its work.
LOST = (502, 504)
FIRST_DELAY_SECONDS = 0.5
#: Spreads clients that were told to wait until the same moment.
RETRY_AFTER_JITTER_SECONDS = 0.25


@dataclass(frozen=True)
class ClientOptions:
    """Settings of a client."""

    #: Further attempts after 429, 502, 503, 504 or a lost connection.
    max_retries: int = 3
    #: Longest `Retry-After` to wait for.
    max_wait_seconds: float = 60
    #: Time limit of one attempt.
    timeout_seconds: float = 30
    #: Name and version of your program; sent in `User-Agent` before those of the client.
    user_agent: str | None = None
    #: Called before every attempt; may set headers.
    on_request: Callable[[httpx.Request], None] | None = None
    #: Called with every response.
    on_response: Callable[[httpx.Response], None] | None = None
    #: Called before the pause in seconds that precedes a further attempt.
    on_retry: Callable[[int, float], None] | None = None


@dataclass(frozen=True)
class CallOptions:
    """Settings of one call."""

    idempotency_key: str | None = None
    request_id: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    max_retries: int | None = None
    timeout_seconds: float | None = None
    #: Called with every response of this call, for its headers.
    on_response: Callable[[httpx.Response], None] | None = None


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: list[Item]
    meta: dict[str, Any]

    @property
    def next_query(self) -> dict[str, Any] | None:
        """Query parameters of the next page; None if this is the last."""
        if not self.meta["has_next"]:
            return None
        if "next_after" not in self.meta:
            return {"page": self.meta["page"] + 1}
        after = self.meta["next_after"]
        return None if after is None else {"after": after}


class Paged(Generic[Item]):
    """A list: `data` and `meta` of its first page, or iterate over all of it."""

    def __init__(self, read: Callable[[dict[str, Any]], Page[Item]]) -> None:
        self._read = read
        self._first: Page[Item] | None = None

    @property
    def first(self) -> Page[Item]:
        if self._first is None:
            self._first = self._read({})
        return self._first

    @property
    def data(self) -> list[Item]:
        return self.first.data

    @property
    def meta(self) -> dict[str, Any]:
        return self.first.meta

    def pages(self) -> Iterator[Page[Item]]:
        page = self.first
        yield page
        while (query := page.next_query) is not None:
            page = self._read(query)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


class AsyncPaged(Generic[Item]):
    """A list: await it for its first page, or go through all of it with `async for`."""

    def __init__(self, read: Callable[[dict[str, Any]], Awaitable[Page[Item]]]) -> None:
        self._read = read

    def __await__(self) -> Generator[Any, None, Page[Item]]:
        return self._read({}).__await__()

    async def pages(self) -> AsyncIterator[Page[Item]]:
        page = await self._read({})
        yield page
        while (query := page.next_query) is not None:
            page = await self._read(query)
            yield page

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item


class _Call:
    """One call over its attempts: what to send, and whether and when to send it again."""

    def __init__(
        self,
        url: str,
        key: str,
        settings: ClientOptions,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions,
    ) -> None:
        self.settings = settings
        self.options = options
        self.method = operation["method"]
        self.url = url + re.sub(r"\{(\w+)\}", lambda place: quote(params[str(place[1])], safe=""), operation["path"])
        self.query = _flatten(query)
        self.body = body
        name = f"device-intelligence-client-python/{VERSION}"
        self.headers = {
            "Authorization": f"Bearer {key}",
            "Accept": "application/json, text/csv",
            "User-Agent": f"{settings.user_agent} {name}" if settings.user_agent else name,
        }
        if options.request_id:
            self.headers["X-Request-Id"] = options.request_id
        if operation["takes_idempotency_key"]:
            self.headers["Idempotency-Key"] = options.idempotency_key or secrets.token_hex(16)
        self.headers.update(options.headers)
        self.can_repeat = operation["is_idempotent"] or "Idempotency-Key" in self.headers
        self.max_retries = settings.max_retries if options.max_retries is None else options.max_retries
        self.timeout = settings.timeout_seconds if options.timeout_seconds is None else options.timeout_seconds
        self.attempt = 0

    def request(self, client: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        self.attempt += 1
        request = client.build_request(
            self.method,
            self.url,
            params=self.query,
            headers=self.headers,
            timeout=self.timeout,
            **({} if self.body is None else {"json": self.body}),
        )
        if self.settings.on_request:
            self.settings.on_request(request)
        return request

    def delay_after_error(self, error: Exception) -> float:
        """The pause before the next attempt; raises if there is none."""
        if self.attempt > self.max_retries or not self.can_repeat:
            raise ConnectionError(f"No response to {self.method} {self.url}.") from error
        return self._retry(None)

    def delay_after(self, response: httpx.Response) -> float | None:
        """The pause before the next attempt; None if the response is final."""
        for hook in (self.settings.on_response, self.options.on_response):
            if hook:
                hook(response)
        status = response.status_code
        if status not in REJECTED and not (self.can_repeat and status in LOST):
            return None
        wait = retry_after_seconds(response.headers)
        if self.attempt > self.max_retries or (wait or 0) > self.settings.max_wait_seconds:
            return None
        return self._retry(wait)

    def _retry(self, wait: float | None) -> float:
        delay: float
        if wait is None:
            delay = FIRST_DELAY_SECONDS * 2 ** (self.attempt - 1) * random.uniform(0.5, 1)
        else:
            delay = wait + random.uniform(0, RETRY_AFTER_JITTER_SECONDS)
        if self.settings.on_retry:
            self.settings.on_retry(self.attempt, delay)
        return delay


def _flatten(query: Mapping[str, Any]) -> dict[str, str]:
    """Query parameters as text. Filters by attribute names of the catalogue are a mapping."""
    sent: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            sent.update({str(attribute): str(wanted) for attribute, wanted in value.items()})
        elif value is not None:
            sent[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return sent


def _parse(response: httpx.Response) -> dict[str, Any]:
    """The envelope of a success; raises the error of any other response."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if isinstance(body, dict):
        error = body.get("error")
        if isinstance(error, dict) and isinstance(error.get("code"), str) and isinstance(error.get("message"), str):
            raise ERROR_CLASSES.get(error["code"], ApiError)(response.status_code, response.headers, error)
        if "data" in body:
            return cast(dict[str, Any], body)
    raise UnexpectedResponseError(response.status_code, response.headers, response.text)


def _parse_file(response: httpx.Response) -> str:
    """The text of a file; errors are in the envelope."""
    if response.status_code == 200 and response.headers.get("Content-Type", "").startswith("text/csv"):
        return response.text
    _parse(response)
    raise UnexpectedResponseError(response.status_code, response.headers, response.text)


class _Base:
    def __init__(self, url: str, key: str, options: ClientOptions | None) -> None:
        if not re.match(r"https?://.", url or ""):
            raise ValueError(f"`url` is {url!r}; expected the URL of the service, such as https://devices.example.")
        if not key:
            raise ValueError("`key` is missing: an API key of the service, such as pk_pub_….")
        self._url = url.rstrip("/")
        self._key = key
        self._options = options or ClientOptions()

    def _prepare(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> _Call:
        return _Call(self._url, self._key, self._options, operation, params, query, body, options or CallOptions())


class DeviceIntelligence(_Base, Endpoints):
    """The service, with one method per endpoint. Use it as a context manager, or call `close()`."""

    def __init__(
        self, url: str, key: str, options: ClientOptions | None = None, *, http: httpx.Client | None = None
    ) -> None:
        super().__init__(url, key, options)
        self._http = http or httpx.Client()

    def __enter__(self) -> DeviceIntelligence:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def _send(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> httpx.Response:
        call = self._prepare(operation, params, query, body, options)
        while True:
            try:
                response = self._http.send(call.request(self._http))
            except httpx.TransportError as error:
                delay: float | None = call.delay_after_error(error)
            else:
                delay = call.delay_after(response)
                if delay is None:
                    return response
            time.sleep(delay or 0)

    def _call(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> dict[str, Any]:
        return _parse(self._send(operation, params, query, body, options))

    def _read_text(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> str:
        return _parse_file(self._send(operation, params, query, body, options))

    def _read(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> Any:
        return self._call(operation, params, query, body, options)["data"]

    def _list(
        self, operation: Operation, params: Mapping[str, str], query: Mapping[str, Any], options: CallOptions | None
    ) -> Paged[Any]:
        def read(further: dict[str, Any]) -> Page[Any]:
            envelope = self._call(operation, params, {**query, **further}, None, options)
            return Page(envelope["data"], envelope["meta"])

        return Paged(read)


class AsyncDeviceIntelligence(_Base, AsyncEndpoints):
    """The service, with one coroutine per endpoint. Use it as an async context manager, or await `close()`."""

    def __init__(
        self, url: str, key: str, options: ClientOptions | None = None, *, http: httpx.AsyncClient | None = None
    ) -> None:
        super().__init__(url, key, options)
        self._http = http or httpx.AsyncClient()

    async def __aenter__(self) -> AsyncDeviceIntelligence:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def _send(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> httpx.Response:
        call = self._prepare(operation, params, query, body, options)
        while True:
            try:
                response = await self._http.send(call.request(self._http))
            except httpx.TransportError as error:
                delay: float | None = call.delay_after_error(error)
            else:
                delay = call.delay_after(response)
                if delay is None:
                    return response
            await asyncio.sleep(delay or 0)

    async def _call(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> dict[str, Any]:
        return _parse(await self._send(operation, params, query, body, options))

    async def _read_text(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> str:
        return _parse_file(await self._send(operation, params, query, body, options))

    async def _read(
        self,
        operation: Operation,
        params: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        options: CallOptions | None,
    ) -> Any:
        return (await self._call(operation, params, query, body, options))["data"]

    def _list(
        self, operation: Operation, params: Mapping[str, str], query: Mapping[str, Any], options: CallOptions | None
    ) -> AsyncPaged[Any]:
        async def read(further: dict[str, Any]) -> Page[Any]:
            envelope = await self._call(operation, params, {**query, **further}, None, options)
            return Page(envelope["data"], envelope["meta"])

        return AsyncPaged(read)
