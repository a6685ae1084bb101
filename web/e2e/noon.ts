const HOUR_MS = 3_600_000

/**
 * How far ahead of this machine noon is, in whole hours. A day can be closed an hour after its
 * end: a server that lives at noon is never between the two, whenever the tests run.
 */
export const TO_NOON_MS = ((36 - new Date().getUTCHours()) % 24) * HOUR_MS

export const DAY_MS = 24 * HOUR_MS

/**
 * How far ahead every server lives that no test puts elsewhere. In the first hour of a day the
 * demo's yesterday is not closed yet: tests that run then, or come to it, skip that hour.
 */
export const PAST_MIDNIGHT_MS = [23, 0].includes(new Date().getUTCHours()) ? 2 * HOUR_MS : 0

/** The setting of a demo that lives so far ahead. */
export const livingAhead = (ms: number) => ['--demo-ahead', `${ms / HOUR_MS}h`]
