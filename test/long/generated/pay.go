// Makes a first payment by the generated client, and prints its id and its status.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"payment/bfs"
)

// must ends the program if a call failed.
func must[T any](answer T, response any, err error) T {
	if err != nil {
		var refused *bfs.GenericOpenAPIError
		if errors.As(err, &refused) {
			fmt.Fprintln(os.Stderr, string(refused.Body()))
		}
		panic(err)
	}
	return answer
}

func main() {
	host, email, password, code, nextCode := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	organization, contact := os.Args[6], os.Args[7]
	configuration := bfs.NewConfiguration()
	configuration.Servers = bfs.ServerConfigurations{{URL: host}}
	client := bfs.NewAPIClient(configuration)
	nobody := context.Background()

	first := must(client.AuthenticationAPI.SignIn(nobody).SignIn(*bfs.NewSignIn(email, password)).Execute())
	proof := bfs.NewSignInCode(first.MfaRequired.ChallengeToken, code)
	second := must(client.AuthenticationAPI.CompleteSignIn(nobody).SignInCode(*proof).Execute())
	owner := context.WithValue(nobody, bfs.ContextAccessToken, second.Authenticated.Token)

	asked := bfs.NewPaymentInput(*bfs.NewRequestMoney("25.00", "USD"), contact, "services", "Invoice 1")
	create := client.PaymentsAPI.CreatePayment(owner).PaymentInput(*asked).IdempotencyKey("go-1")
	payment := must(create.Execute())
	if must(create.Execute()).Id != payment.Id {
		panic("a repeat made another payment")
	}

	approve := client.ApprovalsAPI.ApproveRequest(owner, organization, payment.GetApprovalRequestId())
	_, _, err := approve.Approve(*bfs.NewApprove()).Execute()
	var refused *bfs.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic("no step-up was asked for")
	}
	stepUp := refused.Model().(bfs.Error).Error.StepUp
	code2 := bfs.TotpProofAsStepUpProof(bfs.NewTotpProof("totp", nextCode))
	must(client.StepUpAPI.CompleteStepUp(owner, stepUp.Id).StepUpProof(code2).Execute())
	must(approve.Approve(*bfs.NewApprove()).Execute())
	paid := must(client.PaymentsAPI.GetPayment(owner, payment.Id).Execute())
	fmt.Println(paid.Id, paid.Status)
}
