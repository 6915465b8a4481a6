import { Download } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { useWords } from '../../../words-context.tsx'

/** Shown once, and kept nowhere in this browser. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone(): void }) => {
  const { signInMethods } = useWords()
  const text = codes.join('\n')
  const save = (): void => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${signInMethods.codesFile}\n\n${text}\n`], { type: 'text/plain' }))
    link.download = 'helix-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <p>{signInMethods.codesText}</p>
      <ul className="recovery-codes mono" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="actions">
        <Button onClick={save}>
          <Download size={16} strokeWidth={1.5} aria-hidden />
          {signInMethods.saveCodes}
        </Button>
        <CopyButton text={text}>{signInMethods.copyCodes}</CopyButton>
        <Button look="primary" onClick={onDone}>
          {signInMethods.codesKept}
        </Button>
      </div>
    </>
  )
}
