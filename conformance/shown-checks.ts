import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By test file: the numbers of checks, and how the title of a test that verifies them begins. */
const verified: Readonly<Record<string, readonly (readonly [checks: readonly number[], title: string])[]>> = {
  'src/http/json-depth.test.ts': [
    [[64], 'for any JSON the depth is that of the parsed value, whatever its strings contain'],
  ],
  'test/chat-completions/200.test.ts': [
    [[26], 'an empty answer has the content "", not null'],
    [[27], 'a response is one JSON document of the official shape'],
  ],
  'test/chat-completions/400-extensions.test.ts': [[[49], 'extensions']],
  'test/chat-completions/400-fields.test.ts': [
    [[44], 'a body that is not an object'],
    [[49], 'an unknown field'],
    [[50], 'max_tokens 0'],
    [[51], 'max_tokens 1.5'],
    [[52], 'stop ""'],
    [[53], 'stream "true"'],
    [[56], 'logit_bias 101'],
    [[57], 'metadata of 17 pairs'],
    [[58], 'model missing'],
    [[59], 'the context'],
    [[60], 'top_logprobs 21'],
  ],
  'test/chat-completions/400-formats.test.ts': [
    [[38], 'json_object without the word'],
    [[39], 'an open object'],
  ],
  'test/chat-completions/400-messages.test.ts': [
    [[43], 'messages missing'],
    [[45], 'a message without role'],
    [[46], 'content without parts'],
    [[47], 'a message without content'],
    [[48], 'a system message anywhere, the last from the assistant'],
    [[61], 'a part of type '],
  ],
  'test/chat-completions/400-tools.test.ts': [
    [[39], 'parameters that are no object'],
    [[54], 'tools []'],
    [[55], 'calls and their results'],
  ],
  'test/chat-completions/401.test.ts': [
    [[69], '%s: no key was provided'],
    [[70], 'the key is verified before %s is checked'],
  ],
  'test/chat-completions/404.test.ts': [[[72], '%s %s is not found']],
  'test/chat-completions/405.test.ts': [[[72], '%s %s is not allowed, and Allow lists what is']],
  'test/chat-completions/413.test.ts': [[[67], 'a body of exactly the limit is accepted, one byte more is not']],
  'test/chat-completions/415.test.ts': [
    [[71], 'the content type %j is refused, and the error names it'],
    [[74], 'a body in %s is refused'],
  ],
  'test/chat-completions/429.test.ts': [
    [[79], 'a response has the remaining limits, streamed or not'],
    [[80], 'a request above the limit gets the wait, and succeeds after exactly that'],
  ],
  'test/chat-completions/503.test.ts': [
    [[81], 'while the model loads, requests get a retryable error and /readyz gives the reason'],
    [[82], 'shutdown finishes running requests, refuses new ones and closes all connections'],
  ],
  'test/chat-completions/abort.test.ts': [
    [[23], 'what a client does not read waits in bounded memory, then its answer pauses, and no other is delayed'],
  ],
  'test/chat-completions/body-bytes.test.ts': [
    [[62], '%s is no JSON object: 400 without param and code'],
    [[63], 'the last value of a duplicate key counts'],
    [[65], 'a lone surrogate becomes a replacement character before it reaches the engine'],
    [[66], 'a number that overflows is out of range, not infinite'],
  ],
  'test/chat-completions/broken-off.test.ts': [
    [[18, 19, 21], 'however and whenever an answer is aborted, everything it reserved is released'],
  ],
  'test/chat-completions/choices.test.ts': [
    [[10], 'with three choices there are three answers, and the prompt is counted once'],
    [[18], 'a client that disconnects frees the slots of all its choices'],
  ],
  'test/chat-completions/extensions.test.ts': [
    [[25], 'obfuscation pads every chunk of a choice if requested, and is absent otherwise'],
  ],
  'test/chat-completions/functions.test.ts': [
    [[11], 'in a stream the name comes once, then pieces of the arguments, without index and id'],
    [[28], 'a call is message.function_call, with finish_reason function_call and no tool_calls'],
  ],
  'test/chat-completions/logprobs.test.ts': [
    [[17], 'every piece of a stream has its own tokens'],
    [[33], 'without top_logprobs each token has its own log probability and no others'],
    [[34], 'a token with part of a character has its own bytes'],
    [[35], 'a top token is in its own list; one beyond the twenty has −9999'],
  ],
  'test/chat-completions/reasoning.test.ts': [
    [[1], 'in a stream, reasoning is sent as deltas of its own after the role'],
  ],
  'test/chat-completions/shape.test.ts': [
    [[28, 29], 'an answer at its limit has exactly that many tokens and finish_reason length'],
    [[30], 'the total is the sum of prompt and completion, with both kinds of details'],
    [[31], 'ids begin with chatcmpl- and are unique'],
    [[32], 'created is the time of the response, in whole seconds'],
    [[36], 'the same seed gives the same text and fingerprint, another seed gives another text'],
    [[40], 'service_tier %s is reported as default'],
    [[41], 'the model of a response is the served one, which has no aliases'],
  ],
  'test/chat-completions/silence.test.ts': [
    [[20, 21], 'a failure after such headers is an error event; a JSON response keeps its status'],
    [[24], 'a stream %s without a token for 10 seconds sends its headers and a ping'],
  ],
  'test/chat-completions/stop.test.ts': [
    [[14], 'a stop sequence across two tokens ends the answer, is not part of it, and frees the engine'],
  ],
  'test/chat-completions/store.test.ts': [[[83], 'a completion with store can be read again, with its messages']],
  'test/chat-completions/stream-tools.test.ts': [
    [[2], 'a call without content has content null in its first delta; after content that is ""'],
    [[11], 'id, type and the complete name are sent once, then only pieces of the arguments'],
    [[12, 13], 'however an answer is divided into tokens, each call has its index and arguments that parse'],
  ],
  'test/chat-completions/stream-usage.test.ts': [
    [[5], 'with include_usage every chunk has usage null, followed by one without choices, then [DONE]'],
    [[6], 'with %j there is no usage at all, and no chunk without choices'],
    [[7], 'the usage of a stream is that of the same answer as JSON'],
  ],
  'test/chat-completions/stream.test.ts': [
    [[1, 2, 3, 4], 'a stream is a role, pieces of text, a finish and [DONE], all with the same id'],
    [[8], 'the pieces of a stream, joined, are the same answer as JSON'],
    [[9], 'on the wire every event is a data line and a blank line, and the last is [DONE]'],
    [[20], 'a failure before the first token is a JSON error with its own status, even for a stream'],
    [[21], 'a failure during a stream is one error event and the end, without [DONE]'],
    [[22], 'a stream is never compressed, so that nothing delays its events'],
    [[24], 'a pause in a stream is filled with pings that clients ignore'],
    [[26], 'an empty stream has a role, a finish and [DONE]'],
    [[84], 'fifty concurrent streams never mix their texts'],
  ],
  'test/chat-completions/structured-output.test.ts': [
    [[37], 'an answer with a strict schema matches it (stream: %s)'],
    [[38], 'with json_object the answer is a JSON object'],
    [[39], 'a strict schema that %s is enforced as it is, or refused if the client wants official rules'],
  ],
  'test/chat-completions/tools.test.ts': [
    [[13], 'two calls have different ids; without parallel_tool_calls there is one, and the engine is freed'],
    [[27], 'a call has content null and finish_reason tool_calls'],
    [[28], 'with required, the answer is constrained to calls from its first character'],
    [[31], 'ids of calls are unique, within and across responses'],
  ],
  'test/chat-completions/utf8.test.ts': [
    [[15], 'no piece of a stream contains an incomplete character, even if every byte is a token'],
    [[16], 'an answer that is cut off within a character has no invalid character'],
  ],
  'test/http/answer-headers.test.ts': [
    [[74], 'accept-encoding has no effect (stream: %s)'],
    [[79], '%s (%i) has an id of its own, the time it took and the version'],
  ],
  'test/http/broken-requests.test.ts': [[[77], '%s is a 400 with a request id, and closes the connection']],
  'test/http/connection.test.ts': [
    [[72], 'a target with scheme and host in front is the same target'],
    [[73], 'HEAD has no body, so the next response follows directly'],
    [[75], 'one connection serves a hundred requests in sequence, each with its own id'],
    [[77], 'a body in chunks without Content-Length, split anywhere, is one body'],
  ],
  'test/http/cors.test.ts': [
    [[73], 'a preflight needs no key and allows the methods of the path and the requested headers'],
  ],
  'test/http/deep-json.test.ts': [[[64], 'ten thousand levels %s are a 400 that says why']],
  'test/http/expect.test.ts': [[[76], 'Expect: 100-continue is answered before the body is sent']],
  'test/http/large-heads.test.ts': [[[78], '%s over the limit is a 431, and the end of the connection']],
  'test/http/long-message.test.ts': [
    [[68], 'while a message near the limit arrives, and after it, other requests are answered'],
  ],
  'test/http/slow-clients.test.ts': [[[78], 'headers that do not end in time are a 408']],
  'test/log-canary.test.ts': [[[69], 'contains nothing of keys, cookies, prompts, answers, paths or broken bodies']],
  'test/models.test.ts': [
    [[42], 'the list contains the served model'],
    [[73], 'HEAD has the headers of GET and no body'],
  ],
  'test/openai-client.test.ts': [
    [[21], 'a failure during a stream is thrown, not taken for the end'],
    [[24], 'the client ignores pings'],
  ],
  'test/process/serve.test.ts': [[[82], 'on SIGTERM the running answer is finished, and no new requests are accepted']],
  'test/stored-completions/200.test.ts': [
    [[83], 'a stored completion is returned as it was sent, with the parameters of its request'],
  ],
  'test/stored-completions/400.test.ts': [
    [[57], '%s is refused and changes nothing'],
    [[83], 'a list is refused with %s'],
  ],
  'test/stored-completions/404.test.ts': [[[83], '%s …/{id}%s of an unknown id is not found']],
  'test/stored-completions/openai-client.test.ts': [
    [[83], 'the official client lists, filters, pages, labels, reads and deletes'],
  ],
  'test/usage/ledger.test.ts': [
    [[10], 'of an aborted stream the sent tokens of each choice count, and the prompt once'],
    [[18], 'a client that disconnects pays for what was sent: the tokens of a stream, the prompt of a JSON response'],
  ],
}

/** The test files for each check, by its number. */
export const findShownChecks = (): ReadonlyMap<number, readonly string[]> => {
  const shown = new Map<number, string[]>()
  for (const [path, rows] of Object.entries(verified)) {
    for (const number of new Set(rows.flatMap(([numbers]) => numbers)))
      shown.set(number, [...(shown.get(number) ?? []), path])
  }
  return shown
}

/** The titles above that no test has: `path: title`. */
export const findMissingTitles = (): string[] => {
  const root = join(import.meta.dirname, '..')
  return Object.entries(verified).flatMap(([path, rows]) => {
    const text = readFileSync(join(root, path), 'utf8')
    const isThere = (title: string): boolean => ["'", '"', '`'].some((quote) => text.includes(quote + title))
    return rows.flatMap(([, title]) => (isThere(title) ? [] : [`${path}: ${title}`]))
  })
}
