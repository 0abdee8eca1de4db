"""What lies between a phone and this machine: addresses, event streams, and a phone that tries."""

import asyncio
import sys
import time
from collections.abc import Iterator

import segno

from server.doctor.finding import Finding
from server.doctor.room.follower import Follower
from server.doctor.room.opened import Room

FIRST_S = 5.0  # in which a page expects the first event
CHANGE_S = 1.0
PHONE_S = 60.0
ISOLATED = (
    "If a phone cannot open it although it is in the same Wi-Fi, the Wi-Fi isolates its clients or "
    "this machine's firewall is closed: allow the port, or use a hotspot of your own."
)


def addresses(room: Room) -> Iterator[Finding]:
    """Under which addresses this machine reaches itself as others would."""
    host, port = room.settings.host, room.settings.port
    far = room.far()
    if not far:
        if host in ("0.0.0.0", "::"):
            found, advice = "this machine is in no network", "Join the Wi-Fi of the class first."
        else:
            found = f"the server listens on {host} alone, which only this machine reaches"
            advice = "Use --host 0.0.0.0 (unless a proxy on this machine passes visitors on)."
        yield Finding("address", "problem", found, advice)
    for address in far:
        try:
            status = asyncio.run(_status(room, address))
        except OSError as error:
            advice = f"Is a firewall of this machine closed for port {port}?"
            yield Finding("address", "problem", f"{address} does not answer: {error}", advice)
            continue
        if status == 200:
            yield Finding("address", "ok", f"{address} answers", ISOLATED)
        else:
            advice = "Set HEADLIGHT_ALLOWED_HOSTS if visitors use another name."
            yield Finding("address", "problem", f"{address} answers with {status}", advice)


async def _status(room: Room, address: str) -> int:
    client = room.client(address)
    try:
        return (await client.ask("GET", "/healthz", timeout_s=FIRST_S)).status_code
    finally:
        await client.close()


def streams(room: Room) -> Iterator[Finding]:
    """Whether a change reaches a listener as an event, at the addresses that phones use."""
    for address in room.far() or [room.near]:
        transport, took = asyncio.run(_change(room, address))
        if transport == "stream" and took < CHANGE_S:
            found = f"a change came through in {took * 1000:.0f} ms from {address}"
            yield Finding("streams", "ok", found)
        elif transport == "stream":
            advice = "Is this machine busy with something else?"
            yield Finding("streams", "warning", f"a change took {took:.1f} s", advice)
        else:
            advice = (
                "Pages will ask every 2 s instead, which works. If a proxy lies in between, turn "
                "its buffering off for /api/classes (docs/class.md)."
            )
            found = f"no event came within {FIRST_S:.0f} s from {address}: something holds it back"
            yield Finding("streams", "warning", found, advice)


async def _change(room: Room, address: str) -> tuple[str, float]:
    """How a change reached a new listener, and after how many seconds."""
    client, teacher = room.client(address), room.client()
    page = Follower(client, room.code)
    boss = Follower(teacher, room.code, token=room.secret)
    try:
        await page.join()
        following = asyncio.create_task(page.follow())
        end = time.monotonic() + FIRST_S + 1
        while page.transport == "none" and time.monotonic() < end:
            await asyncio.sleep(0.01)
        choice = f"text=the+cat+{time.monotonic_ns() % 10_000}"
        begin = time.monotonic()
        await boss.insist("PATCH", "", {"choice": choice})
        while page.document.get("choice") != choice and time.monotonic() < begin + FIRST_S:
            await asyncio.sleep(0.001)
        took = time.monotonic() - begin
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        return page.transport, took
    finally:
        await client.close()
        await teacher.close()


def phone(room: Room) -> Iterator[Finding]:
    """A QR code, and a minute for a phone to come."""
    far = room.far()
    if not far:
        return
    address = f"{far[0]}/join/{room.code}"
    if not sys.stdout.isatty():
        yield Finding("phone", "ok", "not tried, since nobody is at a terminal")
        return
    sys.stdout.write(f"\nTry it: scan this with a phone within {PHONE_S:.0f} s, and join.\n")
    segno.make_qr(address).terminal(compact=True)
    sys.stdout.write(f"{address}   (Ctrl+C skips this)\n\n")
    try:
        came = asyncio.run(_somebody_joins(room))
    except KeyboardInterrupt:
        yield Finding("phone", "ok", "skipped")
        return
    if came:
        yield Finding("phone", "ok", "a phone joined")
    else:
        yield Finding("phone", "warning", f"no phone joined within {PHONE_S:.0f} s", ISOLATED)


async def _people(teacher: Follower) -> int:
    return len((await teacher.insist("GET", "/people")).json()["people"])


async def _somebody_joins(room: Room) -> bool:
    client = room.client()
    teacher = Follower(client, room.code, token=room.secret)
    try:
        before = await _people(teacher)
        end = time.monotonic() + PHONE_S
        while time.monotonic() < end:
            if await _people(teacher) > before:
                return True
            await asyncio.sleep(1)
        return False
    finally:
        await client.close()
