import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { ModelPull } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/section.tsx'
import { Tag } from '../../components/tag.tsx'
import { bytesText } from '../../figures.ts'
import { DiscardPull } from './discard-pull.tsx'
import { TryLink } from './model-actions.tsx'
import { ModelError } from './model-error.tsx'
import { modelsQuery, pullsQuery } from './models-query.ts'
import { pullTags } from './pull-tags.ts'
import { timeLeftText } from './time-left-text.ts'
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

const PullRow = ({ pull }: { pull: ModelPull }) => {
  const { language } = useLocale()
  const { models, shell } = useWords()
  const platform = usePlatform()
  const refresh = useRefreshModels()
  const { name, state, reason, receivedBytes, totalBytes, bytesPerSecond, file, files } = pull
  const { data: listed } = useQuery(modelsQuery(platform))
  const kind = listed?.data.find(({ id }) => id === name)?.kind
  const act = useMutation({
    mutationFn: async (action: 'pausePull' | 'resumePull' | 'discardPull') => {
      await platform[action]({ params: { name } })
    },
    onSettled: refresh,
  })
  // Of what failed with nothing kept there is nothing to show, and nothing to resume.
  const isRetry = state === 'failed' && receivedBytes === 0
  const isInProgress = state !== 'complete' && !isRetry
  const bytes = (value: number): string => bytesText(value, language)
  // Its digest is calculated, which takes minutes for large files.
  const isChecked = state === 'running' && receivedBytes === totalBytes
  const left = state === 'running' && !isChecked ? timeLeftText(pull, language) : null
  const facts = [
    totalBytes === null ? bytes(receivedBytes) : models.progress(bytes(receivedBytes), bytes(totalBytes)),
    ...(files > 1 ? [models.fileOf(file, files)] : []),
    ...(isChecked ? [models.checking] : []),
    ...(state === 'running' && !isChecked && bytesPerSecond !== null ? [models.perSecond(bytes(bytesPerSecond))] : []),
    ...(left === null ? [] : [models.timeLeft(left)]),
  ]
  return (
    <li>
      <div className="about">
        <b className="mono">{name}</b> <Tag state={pullTags[state]}>{models.pullStates[state]}</Tag>
        {isInProgress ? (
          <progress aria-label={name} max={totalBytes ?? 1} value={totalBytes === null ? 0 : receivedBytes} />
        ) : null}
        {isInProgress ? <span className="subtext">{facts.join(' · ')}</span> : null}
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
          <Button
            aria-label={isRetry ? `${shell.tryAgain}: ${name}` : models.resumeOf(name)}
            busy={act.isPending}
            onClick={() => act.mutate('resumePull')}
          >
            {isRetry ? shell.tryAgain : models.resume}
          </Button>
        ) : null}
        {state === 'complete' && kind === 'chat' ? <TryLink name={name} /> : null}
        {state === 'complete' ? (
          <Button aria-label={models.dismissOf(name)} busy={act.isPending} onClick={() => act.mutate('discardPull')}>
            {models.dismiss}
          </Button>
        ) : state === 'elsewhere' ? null : (
          <DiscardPull name={name} />
        )}
      </span>
      <ModelError error={act.error} title={models.notChanged} />
    </li>
  )
}
