import { Link } from '@tanstack/react-router'
import { useWords } from '../words-context.tsx'

/** From an answer to what the server knows of its request. */
export const RequestLink = ({ id }: { id: string }) => {
  const { answer } = useWords()
  return (
    <p className="figures">
      <span>
        {answer.request}{' '}
        <Link className="link request-id" to="/requests/$request" params={{ request: id }}>
          {id}
        </Link>
      </span>
    </p>
  )
}
