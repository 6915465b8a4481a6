import { Link } from '@tanstack/react-router'
import { useWords } from '../../words-context.tsx'
import { KeyName } from '../requests/key-name.tsx'
import { Fact } from './facts-list.tsx'

export const KeyFact = ({ keyId }: { keyId: string | null }) => {
  const { shell } = useWords()
  return (
    <Fact name={shell.key}>
      {keyId === null ? (
        <KeyName keyId={null} />
      ) : (
        <Link to="/keys/$key" params={{ key: keyId }}>
          <KeyName keyId={keyId} />
        </Link>
      )}
    </Fact>
  )
}
