"""Errors of the service, one class per code, and errors of the connection."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any


class ApiError(Exception):
    """An error response of the service."""

    def __init__(self, status: int, headers: Mapping[str, str], error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: str = error["code"]
        self.message: str = error["message"]
        self.status = status
        #: On VALIDATION_ERROR: each invalid parameter or field.
        self.details: list[dict[str, str]] = error.get("details") or []
        #: On NOT_FOUND of a device or variant: the most similar ids.
        self.nearest_ids: list[str] = error.get("nearest_ids") or []
        #: Quote it when you report a problem.
        self.request_id: str | None = error.get("request_id") or headers.get("x-request-id")
        self.docs: str | None = error.get("docs")
        self.retry_after_seconds = retry_after_seconds(headers)


class ValidationError(ApiError):
    pass


class UnauthorizedError(ApiError):
    pass


class ForbiddenError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class MethodNotAllowedError(ApiError):
    pass


class RequestTimeoutError(ApiError):
    pass


class LimitReachedError(ApiError):
    pass


class PayloadTooLargeError(ApiError):
    pass


class UnsupportedMediaTypeError(ApiError):
    pass


class RateLimitError(ApiError):
    pass


class InternalError(ApiError):
    pass


class ServiceUnavailableError(ApiError):
    pass


class ConnectionError(Exception):
    """No response: the network failed or the time limit was reached. `__cause__` has the reason."""


class UnexpectedResponseError(ConnectionError):
    """A response that is not from the service, such as the page or JSON of a proxy."""

    def __init__(self, status: int, headers: Mapping[str, str], body: str) -> None:
        super().__init__(f"The response (status {status}) is not one of the service. Check `url` and any proxy in between.")
        self.status = status
        self.headers = headers
        self.request_id = headers.get("x-request-id")
        self.body = body


ERROR_CLASSES: dict[str, type[ApiError]] = {
    "VALIDATION_ERROR": ValidationError,
    "UNAUTHORIZED": UnauthorizedError,
    "FORBIDDEN": ForbiddenError,
    "NOT_FOUND": NotFoundError,
    "METHOD_NOT_ALLOWED": MethodNotAllowedError,
    "REQUEST_TIMEOUT": RequestTimeoutError,
    "LIMIT_REACHED": LimitReachedError,
    "PAYLOAD_TOO_LARGE": PayloadTooLargeError,
    "UNSUPPORTED_MEDIA_TYPE": UnsupportedMediaTypeError,
    "RATE_LIMIT_EXCEEDED": RateLimitError,
    "INTERNAL_ERROR": InternalError,
    "SERVICE_UNAVAILABLE": ServiceUnavailableError,
}


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `Retry-After`, which is a number or a date."""
    text = (headers.get("retry-after") or "").strip()
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except (TypeError, ValueError):
        return None
