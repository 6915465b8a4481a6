import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { useWords } from '../../words-context.tsx'
import { limitNameText, usedShare } from './limit-words.ts'

const nearShare = 0.8

/** Whether anything is near its limit, in one sentence. */
export const LimitsLede = ({ shown }: { shown: LimitsShown }) => {
  const words = useWords()
  const { limits } = words
  const all = [...shown.organisation, ...shown.server, ...shown.keys.flatMap((key) => key.limits)]
  const shares = all.flatMap((limit) => {
    const share = usedShare(limit)
    return share === null ? [] : [{ name: limitNameText(limit.name, words), share }]
  })
  const [fullest] = shares.sort((a, b) => b.share - a.share)
  if (fullest === undefined) return <b>{limits.unlimitedLede}</b>
  const { name, share } = fullest
  const percent = Math.floor(share * 100)
  if (share >= 1) return <b>{limits.overLede(name)}</b>
  if (share >= nearShare) return <b>{limits.nearLede(name, percent)}</b>
  return (
    <>
      <b>{limits.calmLede}</b> <span className="muted">{percent === 0 ? '' : limits.fullest(name, percent)}</span>
    </>
  )
}
