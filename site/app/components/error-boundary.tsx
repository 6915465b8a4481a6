import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = { children: ReactNode; fallback(error: unknown, retry: () => void): ReactNode }

/** Catches what its children throw while rendering. React offers only a class for it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: null as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return this.props.fallback(this.state.error, () => this.setState({ error: null, failed: false }))
  }
}
