import { ratioSpread, spreadOf, takeTurns } from './measure.ts'
import { decodeSpeed, measureAnswer } from './measure-streams.ts'
import { newRailwayQuestion } from './railway-question.ts'
import { atLeast, reportPart } from './report-part.ts'
import type { ChatServer, Question } from './stream-chat.ts'

const plain = 7
/** As many streams as this measurement needs at once. */
export const neighbourStreams = plain + 2

type Neighbours = { helix: ChatServer; rounds: number; maxTokens: number }

/**
 * How much seven plain streams lose beside one with `logprobs` and one with a JSON schema, against the same seven beside
 * two further plain streams. All prompts are in memory.
 */
export const measureStreamNeighbours = async (
  { helix, rounds, maxTokens }: Neighbours,
  signal: AbortSignal,
): Promise<void> => {
  const questions = Array.from({ length: neighbourStreams }, () => newRailwayQuestion(maxTokens))
  const withOthers = questions.map((question, index) => ({ ...question, fields: fieldsAt(question, index) }))
  const measure = async (asked: Question[]): Promise<number> => {
    const answers = await Promise.all(asked.map((question) => measureAnswer(helix, question, signal)))
    return decodeSpeed(answers, answers.slice(0, plain))
  }
  await measure(questions)
  const { besidePlain, besideOthers } = await takeTurns(rounds, {
    besidePlain: () => measure(questions),
    besideOthers: () => measure(withOthers),
  })
  reportPart({
    bench: 'engine',
    part: `decode tokens per second of ${plain} plain streams beside one with logprobs and one with a JSON schema`,
    ratio: ratioSpread(besideOthers, besidePlain),
    target: atLeast(0.9),
    rounds,
    figures: { besideOthers: spreadOf(besideOthers, 1), besidePlain: spreadOf(besidePlain, 1) },
  })
}

/** A list so long that the answer does not end before the others. */
const words = { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 200 }
const schema = { type: 'object', properties: { words }, required: ['words'], additionalProperties: false }

const fieldsAt = ({ fields = {} }: Question, index: number): Record<string, unknown> => {
  if (index === plain) return { ...fields, logprobs: true, top_logprobs: 5 }
  if (index === plain + 1)
    return { response_format: { type: 'json_schema', json_schema: { name: 'words', strict: true, schema } } }
  return fields
}
