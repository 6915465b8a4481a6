import { Button } from '../../../components/button.tsx'
import { ago } from '../../../time/ago.ts'
import { dayText } from '../../../time/moments.ts'
import { useLocale } from '../../../words-context.tsx'
import type { Passkey } from './methods-query.ts'

type PasskeyRowProps = { passkey: Passkey; isRemoving: boolean; onRename(): void; onRemove(): void }

export const PasskeyRow = ({ passkey, isRemoving, onRename, onRemove }: PasskeyRowProps) => {
  const { words, language } = useLocale()
  const { signInMethods, settings } = words
  const { name, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt === null ? null : (ago(lastUsedAt, Date.now(), language) ?? settings.now)
  return (
    <li>
      <div>
        <p>
          <b>{name}</b>
        </p>
        <p className="muted small">
          <span>{signInMethods.added(dayText(createdAt, Date.now(), language))}</span>
          <span>{used === null ? signInMethods.neverUsed : signInMethods.lastUsed(used)}</span>
        </p>
      </div>
      <div className="button-row">
        <Button aria-label={signInMethods.renameOf(name)} onClick={onRename}>
          {signInMethods.rename}
        </Button>
        <Button aria-label={signInMethods.removeOf(name)} busy={isRemoving} onClick={onRemove}>
          {signInMethods.remove}
        </Button>
      </div>
    </li>
  )
}
