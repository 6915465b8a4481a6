import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = { children: ReactNode; fallback(error: unknown, retry: () => void): ReactNode }

type Caught = { error: unknown; failed: boolean }

/** Catches what its children throw while rendering. React offers only a class for it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Caught> {
  override state: Caught = { error: null, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return this.props.fallback(this.state.error, () => this.setState({ error: null, failed: false }))
  }
}
