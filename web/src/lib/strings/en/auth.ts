export const auth = {
  login: {
    heading: 'Login',
    userId: 'User ID',
    password: 'Password',
    submit: 'Login',
    forgot: 'Forgot password?',
    noAccount: 'No account yet?',
    signup: 'Create Account',
    hello: 'Hello, User',
    helloText:
      'Sign in to see your balances, your two legs and where every dollar of income came from.',
    success: 'Login successful!',
    refused: 'Invalid username or password.',
    noAddress: 'Your address could not be looked up. Check the connection and try again.',
  },
}
