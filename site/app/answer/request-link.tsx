import { Link } from '@tanstack/react-router'
import { CopyIcon } from '../components/copy-icon.tsx'
import { useWords } from '../words-context.tsx'

/** From an answer to what the server knows of its request. */
export const RequestLink = ({ id }: { id: string }) => {
  const { answer, shell } = useWords()
  return (
    <p className="figures">
      <span>
        {answer.request}{' '}
        <Link className="link request-id" to="/requests/$request" params={{ request: id }}>
          {id}
        </Link>{' '}
        <CopyIcon text={id} label={shell.copyId} />
      </span>
    </p>
  )
}
