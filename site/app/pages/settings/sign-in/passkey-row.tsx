import { Button } from '../../../components/button.tsx'
import { ago } from '../../../time/ago.ts'
import { dayText } from '../../../time/moments.ts'
import { useSpoken } from '../../../words-context.tsx'
import type { Passkey } from './methods-query.ts'

type PasskeyRowProps = { passkey: Passkey; isRemoving: boolean; onRename(): void; onRemove(): void }

export const PasskeyRow = ({ passkey, isRemoving, onRename, onRemove }: PasskeyRowProps) => {
  const { words, language } = useSpoken()
  const { ways, settings } = words
  const { name, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt === null ? null : (ago(lastUsedAt, Date.now(), language) ?? settings.now)
  return (
    <li>
      <div>
        <p>
          <b>{name}</b>
        </p>
        <p className="muted small">
          <span>{ways.added(dayText(createdAt, Date.now(), language))}</span>
          <span>{used === null ? ways.neverUsed : ways.lastUsed(used)}</span>
        </p>
      </div>
      <div className="button-row">
        <Button aria-label={ways.renameOf(name)} onClick={onRename}>
          {ways.rename}
        </Button>
        <Button aria-label={ways.removeOf(name)} busy={isRemoving} onClick={onRemove}>
          {ways.remove}
        </Button>
      </div>
    </li>
  )
}
