import { expect } from 'vitest'
import { readError } from './read-error.ts'
import type { Helix } from './start-helix.ts'

export type Expected = { param: string | null; code: string | null; message: RegExp | string }
export type Row = [title: string, body: Record<string, unknown>, expected: Expected]

/** For a request that only asks for what the official service accepts. */
export const official = ({ authorized }: Pick<Helix, 'authorized'>) => ({
  headers: { ...authorized, 'x-helix-strict': '1' },
})

/** The same answer, whether the client asked for a stream or not. */
export const expectRefusal = async (
  helix: Helix,
  body: Record<string, unknown>,
  { param, code, message }: Expected,
  options: Parameters<Helix['chat']>[1] = {},
): Promise<void> => {
  for (const asked of [{}, { stream: true }]) {
    const response = await helix.chat({ ...asked, ...body }, options)
    expect(response.status).toBe(400)
    const error = await readError(response)
    expect(error).toMatchObject({ param, code })
    expect(error.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  }
}

export const coded = (param: string | null, code: string | null, message: RegExp | string): Expected => ({
  param,
  code,
  message,
})
export const missing = (param: string): Expected =>
  coded(param, 'missing_required_parameter', `Missing required parameter: '${param}'.`)
export const wrongType = (param: string, expected: string, actual: string): Expected =>
  coded(param, 'invalid_type', `Invalid type for '${param}': expected ${expected}, but got ${actual} instead.`)
export const unsupported = (param: string): Expected =>
  coded(param, 'unsupported_parameter', `Unsupported parameter: '${param}' is not supported with this model.`)
export const unsupportedConstraint = (param: string): Expected =>
  coded(
    param,
    'unsupported_parameter',
    `Unsupported parameter: '${param}'. Answers can be constrained with 'json', 'json_object', 'regex' or 'choice' only.`,
  )
export const unsupportedValue = (param: string, value: string): Expected =>
  coded(param, 'unsupported_value', `Unsupported value: '${param}' does not support '${value}' with this model.`)
export const notAmong = (param: string, value: string, supported: string): Expected =>
  coded(param, 'invalid_value', `Invalid value: '${value}'. Supported values are: ${supported}.`)
export const unknown = (param: string): Expected => coded(param, 'unknown_parameter', `Unknown parameter: '${param}'.`)
export const emptyArray = (param: string): Expected =>
  coded(
    param,
    'empty_array',
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  )
export const longArray = (param: string, maximum: number): Expected =>
  coded(
    param,
    'array_above_max_length',
    `Invalid '${param}': array too long. Expected an array with maximum length ${maximum}, but got an array with length ${maximum + 1} instead.`,
  )
export const emptyString = (param: string): Expected =>
  coded(
    param,
    'empty_string',
    `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
  )
export const longString = (param: string, maximum: number): Expected =>
  coded(
    param,
    'string_above_max_length',
    `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${maximum + 1} instead.`,
  )
export const badPattern = (param: string): Expected =>
  coded(
    param,
    'invalid_value',
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
  )

type NumberKind = 'integer' | 'decimal'
export const above = (param: string, kind: NumberKind, maximum: number, value: number): Expected =>
  coded(
    param,
    `${kind}_above_max_value`,
    `Invalid '${param}': ${kind} above maximum value. Expected a value <= ${maximum}, but got ${value} instead.`,
  )
export const below = (param: string, kind: NumberKind, minimum: number, value: number): Expected =>
  coded(
    param,
    `${kind}_below_min_value`,
    `Invalid '${param}': ${kind} below minimum value. Expected a value >= ${minimum}, but got ${value} instead.`,
  )
