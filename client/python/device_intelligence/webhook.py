"""Verification of webhook deliveries by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .generated import ServiceEvent


class WebhookVerificationError(Exception):
    """A delivery that must not be trusted: forged, altered, too old, or not a webhook."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> ServiceEvent:
    """Verifies a delivery and returns its event.

    `body` is the request body as received. Give both secrets while one is being rotated.
    """
    names = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (names[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookVerificationError(f"The header {missing.args[0]} is missing.") from None
    current = time.time() if now is None else now
    if not timestamp.isdigit() or abs(current - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The delivery is too old, or its clock is wrong.")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{timestamp}.".encode() + raw
    sent = [signature[3:] for signature in signatures.split(" ") if signature.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise WebhookVerificationError("Invalid webhook secret: expected whsec_ and base64.") from None
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected, signature) for signature in sent):
            return cast("ServiceEvent", json.loads(raw))
    raise WebhookVerificationError("No signature of the delivery matches.")
