import { readFileSync } from 'node:fs'
import { parseJsonText } from './parse-json-text.ts'

/** True of our own package. */
const asPackage = (value: unknown): { version: string } => value as { version: string }

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

export const { version } = asPackage(parseJsonText(text))
