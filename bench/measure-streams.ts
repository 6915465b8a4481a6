import { median, tokensPerSecond } from './measure.ts'
import { askChat, type ChatServer, type Question, readStream, type StreamUsage } from './stream-chat.ts'

/** When the pieces of one answer arrived, and what the server counted. */
export type AnswerTimes = { startedMs: number; arrivalsMs: number[]; usage: StreamUsage }

export const measureAnswer = async (
  server: ChatServer,
  question: Question,
  signal: AbortSignal,
): Promise<AnswerTimes> => {
  const startedMs = performance.now()
  const arrivalsMs: number[] = []
  let counted: StreamUsage | null = null
  const fields = { ...question.fields, stream_options: { include_usage: true } }
  for await (const { choices, usage } of readStream(await askChat(server, { ...question, fields }, signal))) {
    if (choices[0]?.delta.content) arrivalsMs.push(performance.now())
    counted = usage ?? counted
  }
  if (counted === null || arrivalsMs.length === 0) throw new Error('an answer without text or without usage')
  return { startedMs, arrivalsMs, usage: counted }
}

export type StreamsMeasure = {
  /** Median of the streams, from the request on. */
  firstTokenMs: number
  /** All streams together while all of them generate: no prompt is read then. NaN if there is no such time. */
  decodeTokensPerSecond: number
  /** All tokens of the answers, from the requests to the end of the last answer, prompts included. */
  wholeTokensPerSecond: number
  /** Of the prompts, all together. */
  promptTokens: number
  cachedTokens: number
}

/** Sends all questions at once. */
export const measureStreams = async (
  server: ChatServer,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<StreamsMeasure> => {
  const answers = await Promise.all(questions.map((question) => measureAnswer(server, question, signal)))
  const startedMs = Math.min(...answers.map((answer) => answer.startedMs))
  const endedMs = Math.max(...answers.flatMap(({ arrivalsMs }) => arrivalsMs))
  const tokens = sum(answers.map(({ usage }) => usage.completion_tokens))
  return {
    firstTokenMs: median(answers.map(({ startedMs, arrivalsMs }) => (arrivalsMs[0] ?? Number.NaN) - startedMs)),
    decodeTokensPerSecond: decodeSpeed(answers),
    wholeTokensPerSecond: (tokens * 1000) / (endedMs - startedMs),
    promptTokens: sum(answers.map(({ usage }) => usage.prompt_tokens)),
    cachedTokens: sum(answers.map(({ usage }) => usage.prompt_tokens_details?.cached_tokens ?? 0)),
  }
}

/** `of`: the answers whose tokens count; all have to be generating. A piece of text can have more than one token. */
export const decodeSpeed = (answers: readonly AnswerTimes[], of: readonly AnswerTimes[] = answers): number => {
  const pieces = sum(of.map(({ arrivalsMs }) => arrivalsMs.length))
  const tokens = sum(of.map(({ usage }) => usage.completion_tokens))
  const arrivals = (from: readonly AnswerTimes[]) => from.map(({ arrivalsMs }) => arrivalsMs)
  return tokensPerSecond(arrivals(answers), arrivals(of)) * (tokens / pieces)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
