import type { ReactNode } from 'react'
import type { EngineShown } from '../../../../src/platform/contract/server.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { Tag } from '../../components/tag.tsx'
import { durationText, speedText, wholeText } from '../../figures.ts'
import { SettingsPart } from '../settings/settings-part.tsx'

const tags = { ready: 'ok', loading: 'busy', stopped: 'bad' } as const

export const EnginePart = ({ engine }: { engine: EngineShown }) => {
  const { language, words } = useLocale()
  const { shell } = words
  const { server } = useWords()
  const { state, kind, slots, lastMinute, version } = engine
  const figure = (value: number): string => wholeText(value, language)
  const speed = (value: number): string => shell.tokensPerSecond(speedText(value, language))
  const time = (ms: number): string => durationText(ms, language)
  const stateWords = { ready: server.stateReady, loading: server.stateLoading, stopped: server.stateStopped }
  const quiet = <span className="muted">{server.nothingYet}</span>
  const unknown = lastMinute.requests === 0 ? quiet : <span className="muted">{server.notMeasured}</span>
  const orUnknown = (value: number | null, show: (value: number) => string): ReactNode =>
    value === null ? unknown : show(value)
  return (
    <SettingsPart title={server.engine} text={server.engineText}>
      <dl className="facts">
        <dt>{shell.state}</dt>
        <dd>
          <Tag state={tags[state]}>{stateWords[state]}</Tag>
        </dd>
        <dt>{server.kind}</dt>
        <dd>{server[kind]}</dd>
        <dt>{server.slots}</dt>
        <dd>{server.of(figure(slots.running), figure(slots.total))}</dd>
        <dt>{server.queue}</dt>
        <dd>
          {figure(slots.waiting)} <span className="muted">{server.atMost(figure(slots.queueLimit))}</span>
        </dd>
        <dt>{server.speed}</dt>
        <dd>{lastMinute.requests === 0 ? quiet : speed(lastMinute.tokensPerSecond)}</dd>
        <dt>{server.answerSpeed}</dt>
        <dd>{orUnknown(lastMinute.answerTokensPerSecond, speed)}</dd>
        <dt>{server.firstToken}</dt>
        <dd>{orUnknown(lastMinute.firstTokenMs, time)}</dd>
        <dt>{server.waited}</dt>
        <dd>{orUnknown(lastMinute.queueMs, time)}</dd>
        <dt>{server.requests}</dt>
        <dd>
          {figure(lastMinute.requests)}{' '}
          {lastMinute.failed === 0 ? null : <Tag state="bad">{server.failedOf(figure(lastMinute.failed))}</Tag>}
        </dd>
        <dt>{server.version}</dt>
        <dd>{version}</dd>
      </dl>
    </SettingsPart>
  )
}
