import { Component, type ReactNode } from 'react'
import { ErrorPage } from './ErrorPage.tsx'

interface Failure {
  error: unknown
}

/** The last resort: catches what is thrown outside any route. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failure: Failure | null }> {
  override state: { failure: Failure | null } = { failure: null }

  /** Wrapped, because a thrown value can be null. */
  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    return (
      <main>
        <ErrorPage error={failure.error} />
      </main>
    )
  }
}
