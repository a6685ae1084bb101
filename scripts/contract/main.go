// Command contract prints the OpenAPI document of all calls, without a database and
// without listening.
//
//	go run ./scripts/contract > openapi.json
//
// types.sh turns the document into the web's types.
package main

import (
	"fmt"
	"os"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
)

func main() {
	contract, err := httpx.Contract(new(api.Calls).Routes)
	if err == nil {
		_, err = os.Stdout.Write(contract)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		os.Exit(1)
	}
}
