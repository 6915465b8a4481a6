import type { EngineFeature, ServedModel } from '../../../../src/platform/contract/server.ts'
import { useLocale } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

export const ModelsPart = ({ models }: { models: readonly ServedModel[] }) => {
  const { language, words } = useLocale()
  const { server, shell } = words
  const featureWords: Record<EngineFeature, string> = {
    tools: server.featureTools,
    reasoning: server.featureReasoning,
    grammar: server.featureGrammar,
    logprobs: server.featureLogprobs,
    token_ids: server.featureTokenIds,
    template: server.featureTemplate,
    embeddings: server.featureEmbeddings,
  }
  const count = (tokens: number): string =>
    server.tokens(new Intl.NumberFormat(language === 'ja' ? 'ja-JP' : 'en-GB').format(tokens))
  return (
    <SettingsPart title={server.models} text={server.modelsText}>
      {models.map(({ id, contextTokens, features }) => (
        <dl className="facts" key={id}>
          <dt>{shell.model}</dt>
          <dd>
            <b className="mono">{id}</b>
          </dd>
          <dt>{server.context}</dt>
          <dd>{contextTokens === null ? server.byUpstream : count(contextTokens)}</dd>
          <dt>{server.features}</dt>
          <dd>{features.map((feature) => featureWords[feature]).join(language === 'ja' ? '、' : ', ')}</dd>
        </dl>
      ))}
    </SettingsPart>
  )
}
