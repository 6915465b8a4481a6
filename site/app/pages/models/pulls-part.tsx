import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ModelPull } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/section.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText } from '../../figures.ts'
import { TryLink } from './model-actions.tsx'
import { ModelError } from './model-error.tsx'
import { pullsQuery } from './models-query.ts'
import { useRefreshModels } from './use-refresh-models.ts'

/** Downloads that run in the server, and those that earlier ones left. Nothing if there are none. */
export const PullsPart = () => {
  const { models } = useWords()
  const { data = [] } = useQuery(pullsQuery(usePlatform()))
  const refresh = useRefreshModels()
  const complete = data.filter(({ state }) => state === 'complete').length
  const seen = useRef(complete)
  useEffect(() => {
    if (complete > seen.current) void refresh()
    seen.current = complete
  })
  if (data.length === 0) return null
  return (
    <Section title={models.pulls} text={models.pullsText}>
      <ul className="model-pulls">
        {data.map((pull) => (
          <PullRow key={pull.name} pull={pull} />
        ))}
      </ul>
    </Section>
  )
}

const tags = { running: 'warn', paused: 'off', failed: 'bad', complete: 'ok', elsewhere: 'warn' } as const

const PullRow = ({ pull }: { pull: ModelPull }) => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const refresh = useRefreshModels()
  const { name, state, reason, receivedBytes, totalBytes, bytesPerSecond, file, files } = pull
  const act = useMutation({
    mutationFn: async (action: 'pausePull' | 'resumePull' | 'discardPull') => {
      await platform[action]({ params: { name } })
    },
    onSettled: refresh,
  })
  const bytes = (value: number): string => bytesText(value, language)
  const facts = [
    totalBytes === null ? bytes(receivedBytes) : models.progress(bytes(receivedBytes), bytes(totalBytes)),
    ...(files > 1 ? [models.fileOf(file, files)] : []),
    ...(state === 'running' && bytesPerSecond !== null ? [models.perSecond(bytes(bytesPerSecond))] : []),
  ]
  return (
    <li>
      <div className="about">
        <b className="mono">{name}</b> <Tag state={tags[state]}>{models.pullStates[state]}</Tag>
        {state === 'complete' ? null : (
          <progress aria-label={name} max={totalBytes ?? 1} value={totalBytes === null ? 0 : receivedBytes} />
        )}
        <span className="subtext">{facts.join(' · ')}</span>
        {reason === null ? null : (
          <span className="subtext" lang="en" translate="no">
            {reason}
          </span>
        )}
      </div>
      <span className="row-actions">
        {state === 'running' ? (
          <Button aria-label={models.pauseOf(name)} busy={act.isPending} onClick={() => act.mutate('pausePull')}>
            {models.pause}
          </Button>
        ) : null}
        {state === 'paused' || state === 'failed' ? (
          <Button aria-label={models.resumeOf(name)} busy={act.isPending} onClick={() => act.mutate('resumePull')}>
            {models.resume}
          </Button>
        ) : null}
        {state === 'complete' ? <TryLink name={name} /> : null}
        {state === 'elsewhere' ? null : (
          <Button
            aria-label={state === 'complete' ? models.dismissOf(name) : models.discardOf(name)}
            busy={act.isPending}
            onClick={() => act.mutate('discardPull')}
          >
            {state === 'complete' ? models.dismiss : models.discard}
          </Button>
        )}
      </span>
      <ModelError error={act.error} title={models.notChanged} />
    </li>
  )
}
