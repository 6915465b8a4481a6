import type { Redact } from '../base/create-redactor.ts'
import type { Log } from '../base/log.ts'
import type { Engine } from '../engine/contract.ts'
import type { InputAnswerReader } from '../engine/remote/inputs/input-answer-reader.ts'
import { openRemoteEngine } from '../engine/remote/remote-engine.ts'
import type { TokenCounters } from '../engine/remote/tokenizer/token-counters.ts'
import type { Upstream, UpstreamModel } from './contract.ts'

type OpenUpstreamEngineOptions = {
  upstream: Upstream
  model: UpstreamModel
  /** Unix seconds. */
  created: number
  tokenizers: Pick<TokenCounters, 'of'>
  inputAnswers: Pick<InputAnswerReader, 'read'>
  /** From what it says about a request. */
  redact: Redact
  /** From parts of an answer. */
  hideSecrets: Redact
  log: Log
}

/** One model of one upstream as an engine. */
export const openUpstreamEngine = ({
  upstream,
  model,
  created,
  tokenizers,
  inputAnswers,
  redact,
  hideSecrets,
  log,
}: OpenUpstreamEngineOptions): Engine =>
  openRemoteEngine({
    baseUrl: upstream.baseUrl,
    key: upstream.key,
    tls: upstream.tls,
    upstreamModel: model.upstreamName,
    kind: upstream.kind,
    apiVersion: upstream.apiVersion,
    fields: upstream.fields,
    upstream: upstream.name,
    name: model.name,
    contextTokens: model.contextTokens,
    capabilities: model.capabilities,
    builtInTools: upstream.builtInTools,
    ...(model.imageTokens === null ? {} : { imageTokens: model.imageTokens }),
    modelKind: model.kind,
    vectorLength: model.vectorLength,
    ...(model.weightsId === undefined ? {} : { weightsId: model.weightsId }),
    slots: upstream.maxInFlight,
    created,
    inputAnswers,
    ...(model.tokenizer === null ? {} : { counter: tokenizers.of(model.tokenizer) }),
    silenceLimitMs: upstream.timeouts.silenceMs,
    headLimitMs: upstream.timeouts.firstByteMs,
    connectLimitMs: upstream.timeouts.connectMs,
    redact,
    hideSecrets,
    log: namingUpstream(log, upstream.name),
  })

/** Events about an upstream say which one it is. */
const namingUpstream = (log: Log, upstream: string): Log => ({
  info: (event, fields) => log.info(event, { upstream, ...fields }),
  warn: (event, fields) => log.warn(event, { upstream, ...fields }),
  error: (event, fields) => log.error(event, { upstream, ...fields }),
})
