import type OpenAI from 'openai'
import type { LengthFinishReasonError } from 'openai/core/error'
import type { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import type { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import type OpenAI6 from 'openai-6'
import type { Service } from '../open-service.ts'

/** One major version of the official client, with its own helpers. */
export type OpenAiPackage = {
  OpenAI: typeof OpenAI
  zodResponseFormat: typeof zodResponseFormat
  zodFunction: typeof zodFunction
  zodTextFormat: typeof zodTextFormat
  ChatCompletionStream: typeof ChatCompletionStream
  LengthFinishReasonError: typeof LengthFinishReasonError
}

type OpenAi6Package = { [Name in keyof OpenAiPackage]: unknown } & { OpenAI: typeof OpenAI6 }

/**
 * Typed as the newest version. The scenarios use only what both versions spell alike; the types differ in private
 * fields and in parts of the client unrelated to chat. Any other difference would make the scenarios fail.
 */
export const asNewest = (older: OpenAi6Package): OpenAiPackage => older as unknown as OpenAiPackage

export type OpenAiScenarios = (openai: OpenAiPackage, service: Service) => void

export type ClientOptions = NonNullable<ConstructorParameters<typeof OpenAI>[0]>

/** The client as an application creates it: only the address and the key are ours. */
export const clientOf = ({ OpenAI: Client }: OpenAiPackage, service: Service, more: ClientOptions = {}): OpenAI =>
  new Client({
    baseURL: service.helix.baseUrl,
    apiKey: service.helix.key,
    maxRetries: 0,
    fetch: service.fetch,
    ...more,
  })
