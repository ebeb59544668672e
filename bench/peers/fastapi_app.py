"""The peer: FastAPI, uvicorn and SQLAlchemy's ORM, one process, a transaction a request.

It does what the hub does before it answers: checks the signature and its age, remembers the signature, takes an order
once, writes the event and the raw body, commits. It has uvloop and httptools; SQLite is WAL with FULL. The endpoint is
a plain `def`, run in FastAPI's threads: that was faster by half than `async def` over aiosqlite and asyncpg,
on both databases. Runs in an environment of its own: `uvicorn bench.peers.fastapi_app:app` with PEER_DATABASE and
PEER_SECRET.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from pydantic import BaseModel, Field, ValidationError
from sqlalchemy import BigInteger, Text, UniqueConstraint, create_engine, event, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, sessionmaker

SECRET = os.environ["PEER_SECRET"].encode()
DATABASE = os.environ["PEER_DATABASE"]
ON_SQLITE = DATABASE.startswith("sqlite")
TOLERANCE = 300
ACCOUNT = "acc_1"

engine = create_engine(DATABASE, pool_size=4 if ON_SQLITE else 20, max_overflow=0)
new_session = sessionmaker(engine, expire_on_commit=False)


class Base(DeclarativeBase):
    """The tables."""


class Event(Base):
    """An accepted order; unique by its number, and by the signature that brought it."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("account_id", "order_id"), UniqueConstraint("account_id", "signature"))

    event_id: Mapped[str] = mapped_column(Text, primary_key=True)
    account_id: Mapped[str] = mapped_column(Text)
    order_id: Mapped[str] = mapped_column(Text)
    signature: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text)
    received_at: Mapped[int] = mapped_column(BigInteger)


class Payload(Base):
    """The raw body of an event."""

    __tablename__ = "payloads"

    event_id: Mapped[str] = mapped_column(Text, primary_key=True)
    body: Mapped[str] = mapped_column(Text)


class Conversion(BaseModel):
    """What a shop sends."""

    external_order_id: str = Field(alias="externalOrderId", max_length=128)
    external_product_id: str | None = Field(None, alias="externalProductId", max_length=128)
    order_amount: Decimal = Field(alias="orderAmount", ge=0)
    currency: str | None = Field(None, pattern="^[A-Z]{3}$")
    order_status: str | None = Field(None, alias="orderStatus")
    ordered_at: datetime | None = Field(None, alias="orderedAt")
    coupon_code: str | None = Field(None, alias="couponCode")
    click_id: str | None = Field(None, alias="clickId")
    metadata: dict[str, Any] | None = None


def durable(connection: Any, _: Any) -> None:
    """Let each connection to SQLite write ahead, sync at each commit, and wait for its turn."""
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 30000"):
        connection.execute(f"PRAGMA {pragma}")


if ON_SQLITE:
    event.listen(engine, "connect", durable)
Base.metadata.create_all(engine)
app = FastAPI()


async def signed(request: Request) -> tuple[str, bytes]:
    """Return the signature and the body that it signs; refuse it if it is wrong or too old."""
    raw = await request.body()
    timestamp = request.headers.get("x-timestamp", "")
    signature: str = request.headers.get("x-signature", "")
    right = hmac.new(SECRET, timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(right, signature) or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise HTTPException(401)
    return signature, raw


@app.post("/api/v1/conversions", status_code=202)
def accept(given: Annotated[tuple[str, bytes], Depends(signed)]) -> dict[str, object]:
    """Take an order once and answer when it is durable."""
    signature, raw = given
    try:
        order = Conversion.model_validate_json(raw)
    except ValidationError as fault:
        raise HTTPException(400, fault.errors(include_url=False)) from fault
    taken = Event(
        event_id=f"evt_{uuid.uuid4().hex}", account_id=ACCOUNT, order_id=order.external_order_id, signature=signature,
        status="RECEIVED", received_at=int(time.time() * 1000),
    )  # fmt: skip
    try:
        with new_session.begin() as session:
            session.add_all((taken, Payload(event_id=taken.event_id, body=raw.decode())))
    except IntegrityError:
        return answer_again(order, signature)
    return {"eventId": taken.event_id, "status": "RECEIVED", "duplicate": False}


def answer_again(order: Conversion, signature: str) -> dict[str, object]:
    """Answer an order that is known already; refuse a signature that was used before."""
    with new_session() as session:
        if session.scalar(select(Event).where(Event.signature == signature)) is not None:
            raise HTTPException(401)
        known = session.scalar(select(Event).where(Event.order_id == order.external_order_id))
    return {"eventId": "" if known is None else known.event_id, "status": "RECEIVED", "duplicate": True}
