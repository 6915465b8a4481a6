export type LogFields = Record<string, string | number | boolean | null | undefined>

/** From the least important. */
export const logLevels = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]
