import type { PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { BodyReader } from '../../http/body-readers.ts'
import type { Endpoint } from '../../store/ledger-contract.ts'
import type { AnswerChoice, Usage } from './answer/answer-part.ts'
import type { CompletionCaller } from './completion-caller.ts'
import type { NumberedEvent, NumberedFinish } from './output/choice.ts'
import type { NeededExtracts } from './request/body-extracts.ts'
import type { GenerationRequest } from './request/generation-request.ts'

/**
 * An endpoint that generates text, as a translation onto the one path that all of them share: `generation-handler.ts` reads the body,
 * checks and admits the request, and `execute-request.ts` generates, meters and settles the answer. A dialect only says how a
 * body becomes a request and how an answer is written and stored. How its errors look and where the key is, is the `ApiStyle` of its
 * route, because a request may fail before it reaches a handler.
 *
 * The folders follow a request: `request/` (what is asked), `accept/` (whether it may be), `compile/` (schemas to a grammar),
 * `prompt/` (what the engine is given), `reservation/` (what it may use, and what it used), `output/` (tokens to parts),
 * `answer/` (parts to an answer), `delivery/` (to a connection or a recording).
 *
 * `Request` may add fields that only the formatter of the dialect reads. It is plain data, since a large body is read on
 * another thread. The smallest dialect:
 *
 *     const plain: Dialect = {
 *       endpoint: 'completions',
 *       reader,
 *       newAnswerId: () => newId('cmpl'),
 *       openFormatter: (_, { id }) => ({
 *         events: ([, part]) => (part.type === 'content' ? JSON.stringify({ text: part.text }) : []),
 *         lastEvents: () => [JSON.stringify({ id })],
 *         document: (choices) => ({ id, texts: choices.map(({ parts }) => joinParts(parts).content) }),
 *       }),
 *     }
 */
export interface Dialect<Request extends GenerationRequest = GenerationRequest, Document extends object = object> {
  /** As the ledger and the request log name it. */
  readonly endpoint: Endpoint
  /**
   * Validates a body. Its hash, which tells a retry from another request with the same Idempotency-Key, contains the endpoint
   * (`extractFromBody`): two endpoints may accept the same body.
   */
  readonly reader: BodyReader<NeededExtracts, Request>
  /** A token limit above what fits the context is lowered to that; otherwise such a request is refused. */
  readonly lowersTokenLimit?: true
  /** Its formatter writes a content with `pieces`; those of others get none. */
  readonly writesPieces?: true
  /** The id of a new answer, such as `chatcmpl-…`: a lower-case prefix, `-` or `_`, then letters and digits. */
  newAnswerId(): string
  /** Adds what the body only refers to, such as an earlier answer, once it is read and before anything is checked. */
  resolve?(request: Request, caller: CompletionCaller): Promise<Request>
  /** Further response headers, known once the body is read. */
  headers?(request: Request): Record<string, string>
  /** Called once for each answer, when it got a slot. */
  openFormatter(request: Request, answer: FormattedAnswer): AnswerFormatter<Document>
  /** Stores the answers whose request asks for it. Endpoints without it store none. */
  readonly storage?: AnswerStorage<Request, Document>
}

/** What is known of an answer before it begins. */
export type FormattedAnswer = {
  id: string
  requestId: string
  organisationId: string
  /** When it begins, in milliseconds. */
  createdAt: number
  /** With its id, even if an alias was requested. */
  model: ServedModel
  prompt: PreparedPrompt
  /** All of them, of a request with several raw prompts. */
  prompts: readonly PreparedPrompt[]
  /** As of now; complete once every choice has finished. */
  usage(): Usage
  /** The time, in milliseconds. */
  now(): number
}

/**
 * Writes one answer, either as events or as one document: both say the same. It may keep state, and is used for one answer
 * only. It changes nothing outside; what is kept of an answer is up to `AnswerStorage`.
 */
export interface AnswerFormatter<Document extends object = object> {
  /**
   * The data of the events for one part of a choice, each a JSON text without line breaks: a text if it is one event, because
   * this is called for every token. Of a content with `pieces`, one event for each. It is never called with a `finish`.
   */
  events(numbered: NumberedEvent): string | readonly string[]
  /** The events that complete the answer, once every choice has finished: `finishes` in that order. */
  lastEvents(finishes: readonly NumberedFinish[]): readonly string[]
  /** The events that precede the error of a stream which fails after it has begun. */
  failureEvents?(error: unknown): readonly string[]
  /** The complete answer as one document; of a stream before its last events, and only if it is stored. */
  document(choices: readonly AnswerChoice[]): Document
}

/** Stores answers. A stream that is stored costs the memory of a second copy of the answer. */
export interface AnswerStorage<Request, Document extends object> {
  /** Called once for each answer that is to be stored, when it begins. */
  open(request: Request, answer: FormattedAnswer): StoredAnswer<Document>
}

export interface StoredAnswer<Document extends object = object> {
  /** One part of a stream, for an endpoint that also stores how its answers were divided. */
  add?(numbered: NumberedEvent): void
  /** The answer is complete, and its end is sent once it is stored. */
  store(document: Document): Promise<void>
}
