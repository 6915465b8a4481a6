import type { NewKey } from '../../platform/types.ts'
import { useWords } from '../words-context.tsx'
import { CopyButton } from './copy-button.tsx'

/** Its parts, as they are told apart. */
export type ShownSecret = Pick<NewKey, 'key' | 'prefix' | 'lastFour'>

type SecretProps = {
  newKey: ShownSecret
  onCopied(): void /** Default: that of a key. */
  copyText?: string | undefined
}

/** A key that is shown once. The copy button has the initial focus; copying by hand counts as copied too. */
export const Secret = ({ newKey: { key, prefix, lastFour }, onCopied, copyText }: SecretProps) => {
  const { keys } = useWords()
  const kind = prefix.slice(0, prefix.lastIndexOf('_') + 1)
  const noticeCopy = (): void => {
    if (getSelection()?.toString().includes(key)) onCopied()
  }
  return (
    <div className="secret">
      <p className="value" translate="no" onCopy={noticeCopy}>
        <i>{kind}</i>
        {key.slice(kind.length, -lastFour.length)}
        <b>{lastFour}</b>
      </p>
      <CopyButton look="primary" big text={key} onCopied={onCopied} autoFocus>
        {copyText ?? keys.copyKey}
      </CopyButton>
    </div>
  )
}
