const HOUR_MS = 3_600_000

/**
 * How far ahead of this machine noon is, in whole hours. A day can be closed an hour after its
 * end: a server that lives at noon is never between the two, whenever the tests run.
 */
export const TO_NOON_MS = ((36 - new Date().getUTCHours()) % 24) * HOUR_MS

export const DAY_MS = 24 * HOUR_MS

/** The setting of a demo that lives so far ahead. */
export const livingAhead = (ms: number) => ['--demo-ahead', `${ms / HOUR_MS}h`]
