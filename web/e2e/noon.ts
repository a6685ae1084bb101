const HOUR_MS = 3_600_000

/**
 * The offset to noon, in whole hours. A day can be closed an hour after its end: at noon the server
 * is never between the two, whenever the tests run.
 */
export const TO_NOON_MS = ((36 - new Date().getUTCHours()) % 24) * HOUR_MS

export const DAY_MS = 24 * HOUR_MS

/**
 * The clock offset of every server without another one. In the first hour of a day the demo's
 * yesterday is not closed yet, so tests skip that hour.
 */
export const PAST_MIDNIGHT_MS = [23, 0].includes(new Date().getUTCHours()) ? 2 * HOUR_MS : 0

/** The setting of a demo with such an offset. */
export const livingAhead = (ms: number) => ['--demo-ahead', `${ms / HOUR_MS}h`]
