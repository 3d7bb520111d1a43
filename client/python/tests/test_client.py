"""Tests of the Python client. SERVICE_URL is a running service, SERVICE_KEY its Enterprise key, SERVICE_MANAGE_KEY a key with the right to manage."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import threading
import time
import typing
import unittest
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import device_intelligence as di
from device_intelligence import generated

URL = os.environ["SERVICE_URL"]
KEY = os.environ["SERVICE_KEY"]
MANAGE_KEY = os.environ["SERVICE_MANAGE_KEY"]
VARIANT = "apple-iphone-13-128gb-midnight"


class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = di.DeviceIntelligence(URL, KEY)
        self.addCleanup(self.client.close)

    def test_finds_prices_and_appraises(self) -> None:
        match = self.client.match_text(text="iphone 13 128gb midnight unlocked")
        self.assertEqual(match["variant_id"], VARIANT)
        pricing = self.client.get_pricing(variant_id=VARIANT)
        self.assertGreater(pricing["resale"]["current"]["Good"] or 0, 0)
        appraisal = self.client.appraise_device({"variant_id": VARIANT, "condition": "Good"})
        self.assertEqual(self.client.get_appraisal(appraisal["appraisal_id"]), appraisal)

    def test_iterates_a_list_once(self) -> None:
        paged = self.client.list_devices(make="Google", limit=9)
        ids = [device["id"] for device in paged]
        self.assertEqual(len(ids), paged.meta["total"])
        self.assertEqual(len(set(ids)), len(ids))

    def test_iterates_a_list_by_cursor(self) -> None:
        created = [self.client.create_watch({"variant_id": VARIANT, "reference": name})["id"] for name in ("a", "b", "c")]
        listed = [watch["id"] for watch in self.client.list_watches(limit=1)]
        self.assertEqual([each for each in listed if each in created], created)
        for each in created:
            self.client.delete_watch(each)

    def test_raises_the_errors_of_a_file(self) -> None:
        with di.DeviceIntelligence(URL, MANAGE_KEY) as manager:
            with self.assertRaises(di.ForbiddenError):
                manager.get_rejected_rows("imp_0f246810c52148df3")

    def test_filters_by_attributes(self) -> None:
        variants = self.client.list_variants(make="Apple", attributes={"size": "45mm"}, limit=3).data
        self.assertTrue(variants)

    def test_each_error_code_has_its_own_class(self) -> None:
        with self.assertRaises(di.NotFoundError) as caught:
            self.client.get_device("apple-iphon-13")
        self.assertIn("apple-iphone-13", caught.exception.nearest_ids)
        self.assertRegex(caught.exception.request_id or "", "^req_")
        with self.assertRaises(di.ValidationError) as invalid:
            self.client.get_pricing(variant_id=VARIANT, currency="XTS")
        self.assertEqual(invalid.exception.details[0]["field"], "currency")
        with self.assertRaises(di.UnauthorizedError):
            di.DeviceIntelligence(URL, "pk_pub_none").list_makes()

    def test_an_idempotency_key_returns_the_first_response(self) -> None:
        options = di.CallOptions(idempotency_key="python-1")
        first, second = (self.client.assess_identifier({"identifier": "100000010000023"}, options=options) for _ in "12")
        self.assertEqual(first["lookup_id"], second["lookup_id"])

    def test_async_has_the_same_surface(self) -> None:
        async def use() -> tuple[int, int, str]:
            async with di.AsyncDeviceIntelligence(URL, KEY) as client:
                page = await client.list_devices(make="Google", limit=5)
                ids = [device["id"] async for device in client.list_devices(make="Google", limit=20)]
                match = await client.match_text(text="iphone 13 128gb midnight")
                return page.meta["total"], len(ids), match["device_id"] or ""

        total, count, device = asyncio.run(use())
        self.assertEqual(total, count)
        self.assertEqual(device, "apple-iphone-13")

    def test_every_endpoint_has_a_method_in_both_clients(self) -> None:
        for operation in generated.OPERATIONS:
            name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in operation)
            for client in (di.DeviceIntelligence, di.AsyncDeviceIntelligence):
                self.assertTrue(callable(getattr(client, name)), name)

    def test_types_resolve(self) -> None:
        models = [each for each in vars(generated).values() if typing.is_typeddict(each)]
        self.assertGreater(len(models), 40)
        for model in models:
            typing.get_type_hints(model)


Reply = tuple[int, dict[str, str], str]


class Gateway:
    """A server that sends the given replies, one per request, and repeats the last one."""

    def __init__(self, *replies: Reply) -> None:
        self.requests: list[Any] = []
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                self.rfile.read(int(self.headers.get("content-length") or 0))
                gateway.requests.append(self.headers)
                status, headers, body = replies[min(len(gateway.requests), len(replies)) - 1]
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body.encode())), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())

            do_GET = do_POST = respond

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def client(self, **options: Any) -> di.DeviceIntelligence:
        return di.DeviceIntelligence(f"http://127.0.0.1:{self.server.server_port}", "k", di.ClientOptions(**options))

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


OK: Reply = (200, {}, '{"success":true,"data":[]}')
BUSY: Reply = (503, {"Retry-After": "0"}, "")
LOST: Reply = (0, {}, "")


class Transport(unittest.TestCase):
    def test_retries_after_retry_after_and_stops_at_the_limit(self) -> None:
        with Gateway(BUSY, OK) as gateway:
            gateway.client().list_makes()
            self.assertEqual(len(gateway.requests), 2)
        with Gateway(BUSY) as gateway:
            with self.assertRaises(di.UnexpectedResponseError):
                gateway.client().list_makes()
            self.assertEqual(len(gateway.requests), 4)

    def test_retry_after_may_be_a_date(self) -> None:
        far = formatdate(time.time() + 3600, usegmt=True)
        with Gateway((503, {"Retry-After": far}, "")) as gateway:
            with self.assertRaises(di.UnexpectedResponseError):
                gateway.client().list_makes()
            self.assertEqual(len(gateway.requests), 1)

    def test_a_lost_connection_keeps_the_idempotency_key(self) -> None:
        with Gateway(LOST, (200, {}, '{"success":true,"data":{}}')) as gateway:
            gateway.client().assess_identifier({"identifier": "1"})
            keys = {headers["idempotency-key"] for headers in gateway.requests}
            self.assertEqual((len(gateway.requests), len(keys)), (2, 1))

    def test_gateway_json_is_an_error(self) -> None:
        for body in ('{"message":"Forbidden"}', "null", "<h1>no</h1>"):
            with Gateway((403, {"X-Request-Id": "gw-1"}, body)) as gateway:
                with self.assertRaises(di.UnexpectedResponseError) as caught:
                    gateway.client().list_makes()
                error = caught.exception
                self.assertEqual((error.status, error.body, error.request_id), (403, body, "gw-1"))

    def test_hooks_and_headers(self) -> None:
        seen: list[str] = []
        with Gateway(BUSY, (200, {"X-Request-Id": "req_1"}, OK[2])) as gateway:
            client = gateway.client(
                user_agent="till/7",
                on_request=lambda request: request.headers.update({"traceparent": "t"}),
                on_retry=lambda attempt, delay: seen.append(f"retry {attempt}"),
            )
            got: list[str] = []
            options = di.CallOptions(on_response=lambda response: got.append(response.headers.get("x-request-id", "-")))
            client.list_makes(options=options)
            self.assertEqual((seen, got), (["retry 1"], ["-", "req_1"]))
            sent = gateway.requests[-1]
            self.assertEqual(sent["traceparent"], "t")
            self.assertEqual(sent["user-agent"], f"till/7 device-intelligence-client-python/{di.VERSION}")

    def test_missing_url_or_key_raises_at_once(self) -> None:
        for url, key in (("", "k"), ("devices.example", "k"), ("https://devices.example", "")):
            with self.assertRaises(ValueError):
                di.DeviceIntelligence(url, key)

    def test_version_matches_the_package(self) -> None:
        package = (Path(__file__).parent.parent / "pyproject.toml").read_text()
        self.assertIn(f'version = "{di.VERSION}"', package)


class Webhooks(unittest.TestCase):
    SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    def sign(self, body: str, at: int) -> dict[str, str]:
        key = base64.b64decode(self.SECRET.removeprefix("whsec_"))
        signature = base64.b64encode(hmac.new(key, f"evt_1.{at}.{body}".encode(), hashlib.sha256).digest()).decode()
        return {"Webhook-Id": "evt_1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,x v1,{signature}"}

    def test_verifies_webhooks(self) -> None:
        body, now = json.dumps({"id": "evt_1"}), int(time.time())
        headers = self.sign(body, now)
        self.assertEqual(di.verify_webhook(body, headers, self.SECRET), {"id": "evt_1"})
        other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
        self.assertEqual(di.verify_webhook(body.encode(), headers, [other, self.SECRET]), {"id": "evt_1"})
        unsigned: dict[str, str] = {}
        for sent, signed, secret in (
            (body + " ", headers, self.SECRET),
            (body, headers, other),
            (body, self.sign(body, now - 600), self.SECRET),
            (body, unsigned, self.SECRET),
        ):
            with self.assertRaises(di.WebhookVerificationError):
                di.verify_webhook(sent, signed, secret)


if __name__ == "__main__":
    unittest.main()
